import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type ClusterRow = { id: string; name: string; message: string };

/** findClusters finds clusters whose API, or whose cloud's metrics, can't be read as they should. */
export function findClusters(tx: Tx, scope: Scope) {
  const within = Prisma.sql`c.organization_id = ${scope.organizationId} AND ${inCluster("c.id", scope)}`;
  return rankFound<ClusterRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT c.id, c.name, s.message, s.since, 'cluster-' || s.phase AS kind
      FROM cluster c
      JOIN kubernetes_access k ON k.cluster_id = c.id
      JOIN kubernetes_status s ON s.cluster_id = c.id AND s.generation = k.generation
      WHERE ${within} AND s.phase IN ('unreachable', 'refused', 'degraded')
      UNION ALL
      SELECT c.id, c.name, s.message, s.since, 'cloud-metrics-missing'
      FROM cluster c
      JOIN cloud_metrics m ON m.cluster_id = c.id
      JOIN cloud_metrics_status s ON s.cluster_id = c.id AND s.generation = m.generation
      WHERE ${within} AND s.phase IN ('unreachable', 'refused', 'partial')`,
  );
}
