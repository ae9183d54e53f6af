import { createServer } from "node:net";
import type { Benchmark } from "../main.ts";
import { type Result, result } from "../result.ts";
import { measureTable, measureVisibility, openBrowser } from "./browser.ts";
import { type Figures, startFleet } from "./fleet.ts";
import { measureLists } from "./lists.ts";
import { Processors } from "./processors.ts";
import { seed, startStack } from "./stack.ts";

const sizes = {
  full: {
    clusters: 100,
    loadBalancers: 10_000,
    agents: 1_000,
    settleSeconds: 330,
    seconds: 120,
    ramp: 40,
    warmup: 15,
    listRounds: 400,
    listPauseMs: 120,
    changes: 60,
    tables: 12,
  },
  quick: {
    clusters: 10,
    loadBalancers: 10_000,
    agents: 100,
    settleSeconds: 0,
    seconds: 20,
    ramp: 3,
    warmup: 4,
    listRounds: 60,
    listPauseMs: 50,
    changes: 10,
    tables: 3,
  },
};

/** The whole control plane under the load of a large fleet, all of it on this machine. */
export const run: Benchmark = async ({ quick, root }) => {
  const size = quick ? sizes.quick : sizes.full;
  const stack = await startStack(root, { web: await freePort(), gateway: await freePort() });
  const browser = await openBrowser();
  try {
    seed(root, stack, size);
    // What is new is looked at for the first time, spread over minutes: the load of a day begins after that.
    await new Promise((resolve) => setTimeout(resolve, size.settleSeconds * 1_000));
    const fleet = await startFleet(root, stack, {
      agents: size.agents,
      rampSeconds: size.ramp,
      warmupSeconds: size.warmup,
    });
    await fleet.measuring;
    const processors = new Processors({ ...stack.pids, fleet: fleet.pid });
    const from = fleet.lines.length;
    const atLeast = new Promise((resolve) => setTimeout(resolve, size.seconds * 1_000));

    const lists = await fleet.underLoad("The lists", () => measureLists(stack, size.listRounds, size.listPauseMs));
    const visibility = await fleet.underLoad("A change's way", () => measureVisibility(browser, stack, size.changes));
    const tables = await fleet.underLoad("The table", () => measureTable(browser, stack, size.tables));
    await fleet.underLoad("The rest", () => atLeast);
    const shares = processors.shares();
    const summary = await fleet.end();
    const rates = ratesOf(fleet.lines.slice(from).filter((line) => !line.summary));

    const subject = `${size.agents} agents, ${size.loadBalancers} load balancers`;
    const wantedRate = quick ? undefined : ({ at: "low", op: ">=", value: 20_000 } as const);
    const results: Result[] = [
      result(subject, "reports lost", "reports", [summary.reportsLost], { at: "max", op: "==", value: 0 }),
      result(subject, "reports late by more than 5 s", "reports", [summary.reportsLate], {
        at: "max",
        op: "==",
        value: 0,
      }),
      result(subject, "report answered, p99", "ms", [summary.ackMsP99]),
      result(subject, "sustained ingest", "samples/s", rates, wantedRate),
      result(subject, "list by REST", "ms", lists.rest, { at: "p99", op: "<=", value: 100 }),
      result(subject, "list by tRPC", "ms", lists.trpc, { at: "p99", op: "<=", value: 100 }),
      result(subject, "change visible in another browser", "ms", visibility, { at: "p99", op: "<=", value: 1_000 }),
      result(subject, "table of 10 000 rows interactive", "ms", tables, { at: "max", op: "<=", value: 2_000 }),
    ];
    return { results, limits: describe(shares) };
  } finally {
    await browser.close();
    await stack.stop();
  }
};

/** ratesOf answers the samples per second between each two lines. */
function ratesOf(lines: Figures[]): number[] {
  return lines.slice(1).flatMap((line, i) => {
    const before = lines[i];
    const seconds = before ? line.measuredSeconds - before.measuredSeconds : 0;
    return before && seconds > 0 ? [(line.pointsAcked - before.pointsAcked) / seconds] : [];
  });
}

function describe(shares: Record<string, number>): string[] {
  const list = Object.entries(shares)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => `${name} ${Math.round(share * 100)} %`);
  return [`of one core, while measuring: ${list.join(", ")} (the browser is not counted)`];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
