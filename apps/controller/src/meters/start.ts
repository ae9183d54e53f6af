import type { Db } from "@fairlead/db";
import {
  calculateDueBudgets,
  deleteOrphanedSeries,
  dueRollups,
  endSeries,
  meterDue,
  Partitions,
  partitionsBetween,
  rollUp,
  tables,
} from "@fairlead/services/gateway";
import type { Log } from "@fairlead/telemetry";
import { repeat } from "../repeat.ts";

export type MetersOptions = {
  db: Db;
  log: Log;
  now?: () => Date;
  /** How often to look for buckets that are due. */
  rollUpEveryMs?: number;
  /** How often to make partitions ahead and to drop what retention no longer keeps. */
  tidyEveryMs?: number;
  /** How often to meter the past hours, and the current hour so far. */
  meterEveryMs?: number;
  /** How often to look for budgets whose state is due. */
  budgetsEveryMs?: number;
};

export type Meters = { stop: () => Promise<void> };

/** How far ahead partitions are created, so that they exist even if this process was down for a while. */
const aheadMs = { raw: 6 * 3_600_000, minute: 2 * 24 * 3_600_000, hour: 40 * 24 * 3_600_000 } as const;

/** startMeters maintains the time series (partitions, roll-ups, retention) and meters the usage of load balancers. Any number of processes may run it. */
export async function startMeters(options: MetersOptions): Promise<Meters> {
  const { db, log, now = () => new Date() } = options;
  const partitions = new Partitions();

  async function rollUpDue(stopping: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const task of await dueRollups(db, now())) {
      if (stopping.aborted) return;
      // A bucket that can't be rolled up must not block the others.
      await rollUp(db, partitions, task, now()).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async function tidy(stopping?: AbortSignal): Promise<void> {
    const from = now();
    for (const resolution of ["raw", "minute", "hour"] as const) {
      const to = new Date(from.getTime() + aheadMs[resolution]);
      await partitions.ensure(db, partitionsBetween(tables[resolution], from, to));
    }
    const dropped = await partitions.dropOutlived(db, from);
    if (dropped.length > 0) log.info("dropped samples past their retention", { partitions: dropped });
    await endSeries(db, from);
    await deleteOrphanedSeries(db, from, stopping);
  }

  await tidy().catch((err) => log.warn("could not maintain the time series; trying again later", { err }));
  const loops = [
    repeat("roll up", rollUpDue, options.rollUpEveryMs ?? 1_000, log),
    repeat("maintain the time series", tidy, options.tidyEveryMs ?? 300_000, log),
    repeat("meter the usage of load balancers", () => meterDue(db, now()), options.meterEveryMs ?? 120_000, log),
    repeat(
      "calculate budgets",
      (stopping) => calculateDueBudgets(db, now(), stopping),
      options.budgetsEveryMs ?? 60_000,
      log,
    ),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
