import type { Tx } from "@fairlead/db";
import type { RolledResolution } from "./bucket-lock.sql.ts";

/** How long after a bucket's end the samples of punctual agents have arrived. */
export const graceMs = 10_000;
/** Late samples tend to arrive together; one pass should take them all. */
const latePauseMs = 5_000;
/** Above this many late series one pass over the whole bucket is cheaper. */
const mostLateSeries = 4_000;

/** requestRollups records that buckets got samples. Empty seriesIds means every series. */
export async function requestRollups(
  tx: Tx,
  resolution: RolledResolution,
  requested: readonly { bucketAtMs: number; dueAtMs: number; seriesIds: readonly number[] }[],
): Promise<void> {
  const whole = requested.filter((each) => each.seriesIds.length === 0).sort((a, b) => a.bucketAtMs - b.bucketAtMs);
  const partly = requested.filter((each) => each.seriesIds.length > 0).sort((a, b) => a.bucketAtMs - b.bucketAtMs);
  if (whole.length > 0) {
    const buckets = whole.map((each) => new Date(each.bucketAtMs));
    // "Do nothing" takes no row lock: several gateways record the same minute many times a second.
    await tx.$executeRaw`
      INSERT INTO rollup_task (resolution, bucket_at, due_at)
      SELECT ${resolution}, * FROM unnest(${buckets}::timestamptz[], ${whole.map((each) => new Date(each.dueAtMs))}::timestamptz[])
      ON CONFLICT (resolution, bucket_at) DO NOTHING`;
    await tx.$executeRaw`
      UPDATE rollup_task SET series_ids = '{}'
      WHERE resolution = ${resolution} AND bucket_at = ANY(${buckets}::timestamptz[]) AND series_ids <> '{}'`;
  }
  for (const { bucketAtMs, dueAtMs, seriesIds } of partly) {
    const ids = seriesIds.length > mostLateSeries ? [] : [...new Set(seriesIds)];
    await tx.$executeRaw`
      INSERT INTO rollup_task (resolution, bucket_at, due_at, series_ids)
      VALUES (${resolution}, ${new Date(bucketAtMs)}, ${new Date(dueAtMs)}, ${ids}::int4[])
      ON CONFLICT (resolution, bucket_at) DO UPDATE SET series_ids = CASE
        WHEN rollup_task.series_ids = '{}' OR excluded.series_ids = '{}' THEN '{}'
        WHEN cardinality(rollup_task.series_ids) > ${mostLateSeries} THEN '{}'
        ELSE ARRAY(SELECT DISTINCT unnest(rollup_task.series_ids || excluded.series_ids)) END`;
  }
}

/** whenDue is the moment to roll up a bucket that got samples now, and whether those are late. */
export function whenDue(bucketEndMs: number, nowMs: number): { dueAtMs: number; late: boolean } {
  const onTimeMs = bucketEndMs + graceMs;
  const late = onTimeMs <= nowMs;
  return { dueAtMs: late ? nowMs + latePauseMs : onTimeMs, late };
}
