import type { Tx } from "@fairlead/db";
import type { ExperimentDetail } from "@fairlead/domain/experiment";

/** A change takes a few milliseconds with our own router, tens with others, seconds where a timer must expire. */
const boundsMs = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** selectDelays counts how long changes took until all routes were as requested. */
export async function selectDelays(
  tx: Tx,
  experimentId: string,
): Promise<Pick<ExperimentDetail, "delays" | "settleMsP50" | "settleMsP99">> {
  const [times] = await tx.$queryRaw<{ p50: number | null; p99: number | null }[]>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY "tookMs") AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY "tookMs") AS p99
    FROM experiment_step_view WHERE "experimentId" = ${experimentId} AND "tookMs" IS NOT NULL`;
  const rows = await tx.$queryRaw<{ bucket: number; count: number }[]>`
    SELECT bucket, count(*)::int AS count FROM (
      SELECT (SELECT count(*) FROM unnest(${boundsMs}::int[]) bound WHERE bound < "tookMs")::int AS bucket
      FROM experiment_step_view WHERE "experimentId" = ${experimentId} AND "tookMs" IS NOT NULL
    ) counted GROUP BY bucket`;
  const counts = new Map(rows.map((each) => [each.bucket, each.count]));
  const delays = [...boundsMs, null].map((atMostMs, bucket) => ({ atMostMs, count: counts.get(bucket) ?? 0 }));
  return { delays, settleMsP50: times?.p50 ?? null, settleMsP99: times?.p99 ?? null };
}
