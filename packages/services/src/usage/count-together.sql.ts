import type { Tx } from "@fairlead/db";
import { type Billing, type Hours, providers, type Together } from "@fairlead/domain/cost";
import type { Subject } from "./subjects.sql.ts";

type Billed = { subject: Subject; billing: Billing };
type Row = Together & { clusterId: string; kind: string; isInternal: boolean; hour: number };

/**
 * countTogether returns, for balancers that share a bill with the others of their cluster, how many those were in each
 * hour. A cluster is treated as its own account, and internal balancers are counted separately.
 */
export async function countTogether(
  tx: Tx,
  billed: readonly Billed[],
  hours: Hours,
): Promise<(subject: Subject) => ((hour: number) => Together) | undefined> {
  const clusterIds = [...new Set(billed.filter(isShared).map(({ subject }) => subject.clusterId))];
  if (clusterIds.length === 0) return () => undefined;
  const rows = await tx.$queryRaw<Row[]>`
    WITH own AS (
      SELECT s.id, s.cluster_id, s.facts ->> 'kind' AS kind,
        coalesce(s.facts -> 'strategy' ->> 'scheme' = 'internal', false) AS internal,
        greatest(1, jsonb_array_length(s.facts -> 'ports'))::int AS ports,
        greatest(1, (SELECT count(DISTINCT port ->> 'protocol') FROM jsonb_array_elements(s.facts -> 'ports') AS port))::int AS protocols
      FROM usage_subject s WHERE s.cluster_id = ANY(${clusterIds}::text[])
    )
    SELECT cluster_id AS "clusterId", kind, internal AS "isInternal", h.hour, count(*)::int AS balancers,
      sum(ports)::int AS ports, sum(protocols)::int AS protocols
    FROM own JOIN usage_hour h ON h.subject_id = own.id
    WHERE h.hour >= ${hours.from}::int AND h.hour < ${hours.to}::int AND h.exists_seconds > 0
    GROUP BY 1, 2, 3, 4`;
  const found = new Map<string, Map<number, Together>>();
  for (const row of rows) {
    const key = keyOf(row.clusterId, row.kind, row.isInternal);
    const { balancers, ports, protocols } = row;
    found.set(key, (found.get(key) ?? new Map()).set(row.hour, { balancers, ports, protocols }));
  }
  return ({ clusterId, facts: { kind, strategy, ports } }) => {
    const byHour = found.get(keyOf(clusterId, kind, strategy.type === "cloud" && strategy.scheme === "internal"));
    if (!byHour) return undefined;
    const alone = { balancers: 1, ports: Math.max(1, ports.length), protocols: 1 };
    return (hour) => byHour.get(hour) ?? alone;
  };
}

function isShared({ billing }: Billed): boolean {
  if (billing.as !== "bought" && billing.as !== "machines") return false;
  const provider = billing.as === "bought" ? billing.offer.provider : billing.provider;
  return billing.profile.internetShare > 0 || (billing.as === "bought" && providers[provider].sharesBill);
}

function keyOf(clusterId: string, kind: string, isInternal: boolean): string {
  return [clusterId, kind, isInternal].join("\n");
}
