import type { Db } from "@fairlead/db";
import type { TaskKind } from "@fairlead/services";
import type { Metrics } from "@fairlead/telemetry";
import { type Backlog, readBacklog } from "./backlog.sql.ts";

export type LoopMetrics = {
  finished(kind: TaskKind, outcome: string, seconds: number): void;
  corrected(kind: TaskKind, corrections: number): void;
};

/**
 * loopMetrics are the metrics that show whether the loop keeps up: backlog, outcomes, durations, corrections, nodes out
 * of sync.
 */
export function loopMetrics(metrics: Metrics, db: Db): LoopMetrics {
  const tasks = metrics.counter("fairlead_reconcile_tasks_total", "Reconciliations by kind and outcome.");
  const seconds = metrics.histogram("fairlead_reconcile_duration_seconds", "How long one reconciliation took.");
  const corrections = metrics.counter(
    "fairlead_reconcile_corrections_total",
    "Corrections by drivers to specs that were fully applied before; flat in a healthy fleet.",
  );
  const backlog = readOnce(() => readBacklog(db));
  const gauge = (name: string, help: string, pick: (backlog: Backlog) => number) =>
    metrics.gauge(name, help, async () => [{ value: pick(await backlog()) }]);
  gauge("fairlead_reconcile_due_tasks", "Objects that are due.", (each) => each.due);
  gauge("fairlead_reconcile_oldest_due_seconds", "How long the oldest of them waits.", (each) => each.oldestDueSeconds);
  gauge(
    "fairlead_reconcile_resting_tasks",
    "Objects with an error that only a change can resolve.",
    (each) => each.resting,
  );
  gauge(
    "fairlead_agents_out_of_sync",
    "Agents that report, but have not run their newest config for over a minute.",
    (each) => each.agentsOutOfSync,
  );
  return {
    finished(kind, outcome, took) {
      tasks.add({ kind, outcome });
      seconds.observe(took, { kind });
    },
    corrected: (kind, count) => corrections.add({ kind }, count),
  };
}

/** All gauges of one page come from one query. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
