import type { Db } from "@fairlead/db";
import { createMissingTasks, type Presence, silentAgentsSweep } from "@fairlead/reconciler";
import { idempotencyKeyLastsMs, sweepFeed, sweepIdempotencyKeys, sweepRecords } from "@fairlead/services";
import type { Log, Metrics } from "@fairlead/telemetry";
import { type Repeated, repeat } from "../repeat.ts";

/** presence is used to judge the silence of agents; the sweep that reports silent agents maintains it. */
export type SweepsOptions = { db: Db; log: Log; metrics: Metrics; presence: Presence; now?: () => Date };

type Sweep = { name: string; everyMs: number; run: () => Promise<number> };

/**
 * startSweeps periodically handles what no change announces: silent agents, objects without a task, expired records. Every
 * sweep consists of bounded statements or transactions, so any number of controllers may run them concurrently.
 */
export function startSweeps(options: SweepsOptions): Repeated {
  const { db, log, metrics, presence, now = () => new Date() } = options;
  const sweeps: Sweep[] = [
    { name: "report silent agents", everyMs: 2_000, run: silentAgentsSweep(db, now, presence) },
    { name: "create missing tasks", everyMs: 30_000, run: () => createMissingTasks(db) },
    { name: "drop read feed entries", everyMs: 60_000, run: () => sweepFeed(db, now()) },
    { name: "drop old records", everyMs: 600_000, run: () => sweepRecords(db, now()) },
    {
      name: "drop old idempotency keys",
      everyMs: 600_000,
      run: () => sweepIdempotencyKeys(db, new Date(now().getTime() - idempotencyKeyLastsMs)),
    },
  ];
  const swept = metrics.counter("fairlead_swept_total", "Rows that sweeps marked, created or dropped.");
  const repeated = sweeps.map(({ name, everyMs, run }) =>
    repeat(name, async () => swept.add({ sweep: name }, await run()), everyMs, log),
  );
  return {
    async stop() {
      await Promise.all(repeated.map((each) => each.stop()));
    },
  };
}
