import type { Db } from "@fairlead/db";
import { createMissingTasks, type Presence, silentAgentsSweep } from "@fairlead/reconciler";
import { idempotencyKeyLastsMs, sweepFeed, sweepIdempotencyKeys, sweepRecords } from "@fairlead/services";
import type { Log, Metrics } from "@fairlead/telemetry";
import { type Repeated, repeat } from "../repeat.ts";

/** presence is for whoever judges by the silence of agents: the sweep that tells of it keeps it. */
export type SweepsOptions = { db: Db; log: Log; metrics: Metrics; presence: Presence; now?: () => Date };

type Sweep = { name: string; everyMs: number; run: () => Promise<number> };

/**
 * startSweeps looks, now and then, for what no change announces: agents that fell silent, objects without a task,
 * records that outlived their use. Every sweep is made of bounded statements or transactions, so any number of
 * controllers may run them side by side.
 */
export function startSweeps(options: SweepsOptions): Repeated {
  const { db, log, metrics, presence, now = () => new Date() } = options;
  const sweeps: Sweep[] = [
    { name: "tell of silent agents", everyMs: 2_000, run: silentAgentsSweep(db, now, presence) },
    { name: "create missing tasks", everyMs: 30_000, run: () => createMissingTasks(db) },
    { name: "drop read feed entries", everyMs: 60_000, run: () => sweepFeed(db, now()) },
    { name: "drop old records", everyMs: 600_000, run: () => sweepRecords(db, now()) },
    {
      name: "drop old idempotency keys",
      everyMs: 600_000,
      run: () => sweepIdempotencyKeys(db, new Date(now().getTime() - idempotencyKeyLastsMs)),
    },
  ];
  const swept = metrics.counter("fairlead_swept_total", "Rows that sweeps marked, made or dropped.");
  const repeated = sweeps.map(({ name, everyMs, run }) =>
    repeat(name, async () => swept.add({ sweep: name }, await run()), everyMs, log),
  );
  return {
    async stop() {
      await Promise.all(repeated.map((each) => each.stop()));
    },
  };
}
