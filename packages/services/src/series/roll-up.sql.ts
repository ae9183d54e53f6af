import { type Db, inTransaction, Prisma, type Tx } from "@fairlead/db";
import { resolutions } from "@fairlead/domain/series";
import { requestUsage } from "../usage/meter-due.sql.ts";
import { holdBuckets, type RolledResolution, tryBucketAlone } from "./bucket-lock.sql.ts";
import type { Partitions } from "./partitions.sql.ts";
import { graceMs, requestRollups } from "./rollup-tasks.sql.ts";

const tasksAtOnce = 100;
/** An hour waits until its last minute has certainly been rolled up, and a little more to collect late ones. */
const hourPauseMs = 30_000;

export type RollupTask = { resolution: RolledResolution; bucketAt: Date };

/** dueRollups returns the buckets that wait, the longest waiting first. */
export async function dueRollups(tx: Tx, now: Date): Promise<RollupTask[]> {
  return tx.$queryRaw<RollupTask[]>`
    SELECT resolution, bucket_at AS "bucketAt" FROM rollup_task WHERE due_at <= ${now} ORDER BY due_at, bucket_at LIMIT ${tasksAtOnce}`;
}

/**
 * rollUp recalculates one bucket from the level below and deletes its task, in one transaction: after any crash the
 * task is still there. It returns false when the bucket is busy or done; the caller retries later.
 */
export async function rollUp(db: Db, partitions: Partitions, task: RollupTask, now: Date): Promise<boolean> {
  await partitions.ensureFor(db, task.resolution, [task.bucketAt.getTime()]);
  return inTransaction(db, async (tx) => {
    if (!(await tryBucketAlone(tx, task.resolution, task.bucketAt))) return false;
    const [taken] = await tx.$queryRaw<{ seriesIds: number[] }[]>`
      DELETE FROM rollup_task WHERE resolution = ${task.resolution} AND bucket_at = ${task.bucketAt} AND due_at <= ${now}
      RETURNING series_ids AS "seriesIds"`;
    if (!taken) return false;
    if (task.resolution === "hour") {
      await aggregateMinutes(tx, task.bucketAt, taken.seriesIds);
      await requestUsage(tx, task.bucketAt, now);
      return true;
    }
    await aggregateSamples(tx, task.bucketAt, taken.seriesIds);
    await requestHour(tx, task.bucketAt, taken.seriesIds, now);
    return true;
  });
}

async function requestHour(tx: Tx, minuteAt: Date, seriesIds: number[], now: Date): Promise<void> {
  const hourMs = resolutions.hour.bucketMs;
  const bucketAtMs = Math.floor(minuteAt.getTime() / hourMs) * hourMs;
  const dueAtMs = Math.max(bucketAtMs + hourMs + graceMs, now.getTime()) + hourPauseMs;
  await holdBuckets(tx, "hour", [bucketAtMs]);
  await requestRollups(tx, "hour", [{ bucketAtMs, dueAtMs, seriesIds }]);
}

// A repeated roll-up rewrites only what late or corrected samples changed.

async function aggregateSamples(tx: Tx, from: Date, seriesIds: number[]): Promise<void> {
  const to = new Date(from.getTime() + resolutions.minute.bucketMs);
  await tx.$executeRaw`
    INSERT INTO sample_minute AS kept (series_id, at, count, sum, min, max)
    SELECT series_id, ${from}, count(*), sum(value), min(value), max(value)
    FROM sample WHERE at >= ${from} AND at < ${to} AND ${among(seriesIds)}
    GROUP BY series_id ORDER BY series_id
    ON CONFLICT (series_id, at) DO UPDATE SET count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max
    WHERE (kept.count, kept.sum, kept.min, kept.max) <> (excluded.count, excluded.sum, excluded.min, excluded.max)`;
}

async function aggregateMinutes(tx: Tx, from: Date, seriesIds: number[]): Promise<void> {
  const to = new Date(from.getTime() + resolutions.hour.bucketMs);
  await tx.$executeRaw`
    INSERT INTO sample_hour AS kept (series_id, at, count, sum, min, max, minutes)
    SELECT series_id, ${from}, sum(count), sum(sum), min(min), max(max), count(*)
    FROM sample_minute WHERE at >= ${from} AND at < ${to} AND ${among(seriesIds)}
    GROUP BY series_id ORDER BY series_id
    ON CONFLICT (series_id, at) DO UPDATE SET count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max,
      minutes = excluded.minutes
    WHERE (kept.count, kept.sum, kept.min, kept.max, kept.minutes)
      <> (excluded.count, excluded.sum, excluded.min, excluded.max, excluded.minutes)`;
}

function among(seriesIds: number[]): Prisma.Sql {
  return seriesIds.length === 0 ? Prisma.sql`true` : Prisma.sql`series_id = ANY(${seriesIds}::int4[])`;
}
