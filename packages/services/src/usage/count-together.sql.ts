import type { Tx } from "@fairlead/db";
import type { Billing, Hours } from "@fairlead/domain";
import type { Subject } from "./subjects.sql.ts";

type Billed = { subject: Subject; billing: Billing };

/**
 * countTogether answers, for clusters at a provider that counts the rules of all balancers together, how many there
 * were in each hour. A cluster is taken for a project of its own.
 */
export async function countTogether(
  tx: Tx,
  billed: readonly Billed[],
  hours: Hours,
): Promise<Map<string, (hour: number) => number>> {
  const found = new Map<string, (hour: number) => number>();
  const bundled = billed.filter(({ billing }) => billing.as === "bought" && billing.offer.provider === "gcp");
  const clusterIds = [...new Set(bundled.map(({ subject }) => subject.clusterId))];
  if (clusterIds.length === 0) return found;
  const rows = await tx.$queryRaw<{ clusterId: string; hour: number; count: number }[]>`
    SELECT s.cluster_id AS "clusterId", h.hour, count(*)::int AS count
    FROM usage_subject s JOIN usage_hour h ON h.subject_id = s.id
    WHERE s.cluster_id = ANY(${clusterIds}::text[]) AND s.facts ->> 'kind' = 'cloud'
      AND h.hour >= ${hours.from}::int AND h.hour < ${hours.to}::int AND h.exists_seconds > 0
    GROUP BY 1, 2`;
  for (const [clusterId, own] of Map.groupBy(rows, (row) => row.clusterId)) {
    const counts = new Map(own.map(({ hour, count }) => [hour, count]));
    found.set(clusterId, (hour) => counts.get(hour) ?? 1);
  }
  return found;
}
