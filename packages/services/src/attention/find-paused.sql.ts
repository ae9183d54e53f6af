import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type PausedRow = { id: string; name: string; clusterId: string; clusterName: string; pausedAt: Date };

/** findPausedExposures finds exposures that have been paused for a day: the pause may be forgotten. */
export function findPausedExposures(tx: Tx, scope: Scope) {
  return rankFound<PausedRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT e.id, e.name, e.cluster_id AS "clusterId", c.name AS "clusterName", e.paused_at AS "pausedAt",
        e.paused_at + interval '1 day' AS since, 'exposure-paused' AS kind
      FROM exposure e
      JOIN cluster c ON c.id = e.cluster_id
      WHERE e.organization_id = ${scope.organizationId} AND ${inCluster("e.cluster_id", scope)} AND e.paused_at IS NOT NULL`,
  );
}
