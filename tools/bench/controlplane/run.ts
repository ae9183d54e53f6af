import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@fairlead/db/free-port";
import { ratesOf } from "../fleet.ts";
import type { Benchmark } from "../main.ts";
import { type Result, result, wasMeasured } from "../result.ts";
import { measureTable, measureVisibility, openBrowser } from "./browser.ts";
import { explainOpenings, explainShares } from "./limits.ts";
import { measureLists } from "./lists.ts";
import { startLoad } from "./load.ts";
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
    every: 5,
  },
  quick: {
    clusters: 100,
    loadBalancers: 10_000,
    agents: 1_000,
    settleSeconds: 330,
    seconds: 40,
    ramp: 40,
    warmup: 15,
    listRounds: 100,
    listPauseMs: 120,
    changes: 20,
    tables: 4,
    every: 5,
  },
  smoke: {
    clusters: 1,
    loadBalancers: 50,
    agents: 3,
    settleSeconds: 0,
    seconds: 0,
    ramp: 0.1,
    warmup: 0.2,
    listRounds: 8,
    listPauseMs: 0,
    changes: 1,
    tables: 1,
    every: 0.5,
  },
};

/** The whole control plane under the load of a large fleet, all of it on this machine. */
export const run: Benchmark = async ({ form, root }) => {
  const size = sizes[form];
  const stack = await startStack(root, { web: await freePort(), gateway: await freePort() });
  const browser = await openBrowser();
  try {
    seed(root, stack, size);
    // New objects are reconciled for the first time, spread over minutes: the usual load begins
    // after that.
    await sleep(size.settleSeconds * 1_000);
    const load = await startLoad(root, stack, {
      agents: size.agents,
      rampSeconds: size.ramp,
      warmupSeconds: size.warmup,
      everySeconds: size.every,
      mustBeSteady: form !== "smoke",
    });
    await load.measuring;
    const pids = { ...stack.pids, fleet: load.pid };
    const all = new Processors(pids);
    const from = load.lines.length;
    const atLeast = sleep(size.seconds * 1_000);

    const lists = await load.underLoad("The lists", () =>
      during(pids, () => measureLists(stack, size.listRounds, size.listPauseMs)),
    );
    const changes = await load.underLoad("A change's way", () =>
      during(pids, () => measureVisibility(browser, stack, size.changes)),
    );
    const openings = await load.underLoad("The table", () => measureTable(browser, stack, size.tables));
    await load.underLoad("The rest", () => atLeast);
    const ingest = explain(all);
    const summary = await load.end();
    const rates = ratesOf(load.lines.slice(from));

    const subject = `${size.agents} agents, ${size.loadBalancers} load balancers`;
    const wantedRate = { at: "low", op: ">=", value: 20_000 } as const;
    const soon = { at: "p99", op: "<=", value: 100 } as const;
    const results: Result[] = [
      { ...wasMeasured(subject, summary.reportsAcked), metric: "reports answered" },
      result(subject, "reports lost", "reports", [summary.reportsLost], { at: "max", op: "==", value: 0 }),
      result(subject, "reports late by more than 5 s", "reports", [summary.reportsLate], {
        at: "max",
        op: "==",
        value: 0,
      }),
      limited(ingest, result(subject, "report answered, p99", "ms", [summary.ackMsP99])),
      limited(ingest, result(subject, "sustained ingest", "samples/s", rates, wantedRate)),
      limited(lists.limit, result(subject, "list by REST", "ms", lists.measured.rest, soon)),
      limited(lists.limit, result(subject, "list by tRPC", "ms", lists.measured.trpc, soon)),
      limited(
        changes.limit,
        result(subject, "change visible in another browser", "ms", changes.measured, {
          at: "p99",
          op: "<=",
          value: 1_000,
        }),
      ),
      limited(
        explainOpenings(openings),
        result(
          subject,
          `table of ${size.loadBalancers.toLocaleString("en").replace(",", " ")} rows interactive`,
          "ms",
          openings.map((each) => each.took),
          { at: "max", op: "<=", value: 2_000 },
        ),
      ),
    ];
    return { results, limits: [] };
  } finally {
    await browser.close();
    await stack.stop();
  }
};

/** during measures something, and reports who used the processors meanwhile. */
async function during<T>(pids: Record<string, number>, measure: () => Promise<T>) {
  const processors = new Processors(pids);
  const measured = await measure();
  return { measured, limit: explain(processors) };
}

function limited(limit: string, of: Result): Result {
  return { ...of, limit };
}

function explain(processors: Processors): string {
  return explainShares({ ...processors.shares(), "all else (browsers too)": processors.restShare() });
}
