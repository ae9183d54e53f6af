import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@fairlead/db/free-port";
import type { Choice } from "@fairlead/domain/choice";
import { findEmbedded } from "@fairlead/launcher";
import { type Stack, startStack } from "../controlplane/stack.ts";
import type { Benchmark } from "../main.ts";
import { required, result, wasMeasured } from "../result.ts";
import { Fleet } from "./fleet.ts";

const sizes = {
  full: { clusters: 500, rounds: 600, watchers: 20, changes: 60 },
  quick: { clusters: 500, rounds: 200, watchers: 20, changes: 15 },
  smoke: { clusters: 20, rounds: 10, watchers: 3, changes: 2 },
};

/** Agents report every five seconds. */
const reportMs = 5_000;
/** Added to the link of the winner. */
const addedMs = 30;
const longestMs = 10_000;

const requirements = {
  addressFamily: { family: "ipv4", required: true },
  perInstanceMap: {},
  tlsPersistence: {},
  latencyMsP99: { atMost: 10, weight: 10 },
  headroomMbps: { atLeast: 500 },
  headroomConnections: { atLeast: 10_000 },
  region: { anyOf: ["eu-central-1", "eu-west-1", "us-east-1"], weight: 0 },
  hourlyPrice: { atMost: 0.5, weight: 0 },
  availability: { atLeastPercent: 99 },
  labels: { match: { tier: "gold" } },
};

/** Choices among many clusters, with every requirement, by the API of the whole product. */
export const run: Benchmark = async ({ form, root }) => {
  const size = sizes[form];
  const stack = await startStack(root, { web: await freePort(), gateway: await freePort() });
  let fleet: Fleet | undefined;
  let reporting: NodeJS.Timeout | undefined;
  try {
    const url = findEmbedded(stack.dataFolder);
    if (!url) throw new Error("the product has no embedded database");
    const created = await Fleet.create(url, size.clusters);
    fleet = created;
    let failed: unknown;
    reporting = setInterval(() => void created.report().catch((error: unknown) => (failed = error)), reportMs);
    await measureChoices(stack, Math.ceil(size.rounds / 10)); // compiled and cached, as in a server that runs
    const took = await measureChoices(stack, size.rounds);
    const { seenMs, named } = await measureChanges(stack, created, size);
    if (failed) throw failed;
    const subject = `${size.clusters} clusters, ${Object.keys(requirements).length} requirements`;
    return {
      results: [
        wasMeasured(subject, took.length, size.rounds),
        result(subject, "choice by REST", "ms", took, { at: "p99", op: "<=", value: 50 }),
        result(`${subject}, ${size.watchers} watchers`, `${addedMs} ms at the winner visible to all`, "ms", seenMs, {
          at: "p99",
          op: "<=",
          value: 1_000,
        }),
        required(result(subject, "reasons that name the latency", "share", [named], { at: "low", op: "==", value: 1 })),
      ],
      limits: [],
    };
  } finally {
    clearInterval(reporting);
    await fleet?.close();
    await stack.stop();
  }
};

async function post(stack: Stack, body: object): Promise<Choice> {
  const response = await fetch(`${stack.url}/api/v1/choose`, {
    method: "POST",
    headers: { authorization: `Bearer ${stack.key}`, "content-type": "application/json" },
    body: JSON.stringify({ requirements, ...body }),
  });
  if (response.status !== 200) throw new Error(`a choice returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Choice;
}

async function measureChoices(stack: Stack, rounds: number): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await post(stack, {});
    took.push(performance.now() - began);
    await sleep(20);
  }
  return took;
}

/** measureChanges slows the winner again and again, and waits until every watcher has another one. */
async function measureChanges(
  stack: Stack,
  fleet: Fleet,
  { watchers, changes }: { watchers: number; changes: number },
): Promise<{ seenMs: number[]; named: number }> {
  const seenMs: number[] = [];
  let named = 0;
  for (let change = 0; change < changes; change++) {
    // Without the settled winner, nothing holds it: what is measured is when a change is seen.
    const first = await post(stack, {});
    const { winner } = first;
    if (!winner) throw new Error("no cluster is eligible");
    const waiting = Array.from({ length: watchers }, () => watch(stack, first));
    await sleep(300); // until all wait
    const began = performance.now();
    await fleet.slow(winner.id, addedMs);
    const seen = await Promise.all(waiting);
    seenMs.push(...seen.map(({ at }) => at - began));
    const after = await post(stack, { limit: 1_000 });
    const against = after.items.find(({ id }) => id === winner.id)?.against ?? [];
    const [, ms = "0"] = /^Latency, p99: ([\d.]+) ms/.exec(against[0] ?? "") ?? [];
    if (Number(ms) >= addedMs) named += 1;
  }
  return { seenMs, named: named / changes };
}

/** watch polls as clients do, until the winner is another one. */
async function watch(stack: Stack, first: Choice): Promise<{ at: number }> {
  const until = performance.now() + longestMs;
  let last = first;
  while (last.winner?.id === first.winner?.id) {
    if (performance.now() > until) throw new Error(`a watcher saw no change within ${longestMs} ms`);
    const { state: after, settled: previous } = last;
    last = await post(stack, { wait: "10s", after, previous, hysteresis: { marginPoints: 0 } });
  }
  return { at: performance.now() };
}
