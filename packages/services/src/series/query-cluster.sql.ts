import { Prisma, type Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { countBuckets, type MetricName, mostBuckets, planSeries, resolutions } from "@fairlead/domain/series";
import { bucketsOf, selectPoints } from "./points.sql.ts";

/** Per cluster and metric: clusters have fewer agents than this. */
const mostSeries = 2_000;
/** Longer than any gap between two points of a reporting agent, so that a counter's previous value is found. */
export const counterReachMs = 600_000;

export type ClusterSpan = { clusterId: string; from: Date; to: Date; maxPoints: number };
export type ClusterPoint = { at: Date; value: number };

/** sumInCluster sums what all nodes of a cluster report for a metric, step by step. */
export async function sumInCluster(tx: Tx, metric: MetricName, span: ClusterSpan, now: Date): Promise<ClusterPoint[]> {
  const { ids, plan } = await planCluster(tx, metric, span, now);
  const [id] = ids;
  if (id === undefined) return [];
  const points = await selectPoints(tx, plan, [{ id, ids }]);
  return (points.get(id) ?? []).map(({ at, avg }) => ({ at, value: avg }));
}

/**
 * growthInCluster is by how much the counters of a cluster's nodes grew, step by step; null where there is none. A
 * counter that is lower than before was reset to zero, so all that it counts since then is new.
 */
export async function growthInCluster(
  tx: Tx,
  metric: MetricName,
  span: ClusterSpan,
  now: Date,
): Promise<ClusterPoint[] | null> {
  const { ids, plan } = await planCluster(tx, metric, span, now);
  const reach = { ...plan, from: new Date(plan.from.getTime() - counterReachMs) };
  // A bucket that began before the span may contain growth within it.
  const from = new Date(span.from.getTime() - resolutions[plan.resolution].bucketMs);
  const rows = await tx.$queryRaw<ClusterPoint[]>`${bucketsOf(reach, ids)}, counted AS (
      SELECT at, max, lag(max, 1, max) OVER (PARTITION BY series_id ORDER BY at) AS before FROM bucket
    )
    SELECT date_bin(${plan.stepMs} * interval '1 ms', at, 'epoch'::timestamptz) AS at,
      sum(CASE WHEN max < before THEN max ELSE max - before END) AS value
    FROM counted WHERE at > ${from} AND at <= ${span.to} GROUP BY 1 ORDER BY 1`;
  return rows.length > 0 ? rows : null;
}

async function planCluster(tx: Tx, metric: MetricName, span: ClusterSpan, now: Date) {
  const rows = await tx.$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT s.id FROM series s JOIN node n ON n.id = s.subject_id
    WHERE n.cluster_id = ${span.clusterId} AND s.metric = ${metric} ORDER BY s.id LIMIT ${mostSeries + 1}`);
  const plan = planSeries(span, now, rows.length);
  if (rows.length > mostSeries || countBuckets(plan, rows.length) > mostBuckets)
    throw invalid(["maxPoints"], `Too many nodes report ${metric} to be added up at once.`);
  return { ids: rows.map((each) => each.id), plan };
}
