import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type DeletionRow = {
  id: string;
  name: string;
  clusterId: string;
  clusterName: string;
  deletedAt: Date;
  /** Why the last pass could not remove it; empty if there was no such pass. */
  reason: string;
};

/**
 * findStuckDeletions finds exposures that should be gone by now: the longest drain has ended five minutes ago. What is left
 * of them outside may still cost money.
 */
export function findStuckDeletions(tx: Tx, scope: Scope) {
  return rankFound<DeletionRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT e.id, e.name, e.cluster_id AS "clusterId", c.name AS "clusterName", e.deleted_at AS "deletedAt",
        coalesce((
          SELECT condition ->> 'message' FROM exposure_status s, jsonb_array_elements(s.conditions) condition
          WHERE s.exposure_id = e.id AND condition ->> 'type' = 'Ready' AND condition ->> 'reason' = ANY(${unremoved})
        ), '') AS reason,
        e.deleted_at + interval '5 minutes' + make_interval(secs => greatest(
          coalesce((e.parameters ->> 'drainSeconds')::int, 0), coalesce((c.routing ->> 'drainSeconds')::int, 0)
        )) AS since,
        'exposure-not-deleted' AS kind
      FROM exposure e
      JOIN cluster c ON c.id = e.cluster_id
      WHERE e.organization_id = ${scope.organizationId} AND ${inCluster("e.cluster_id", scope)} AND e.deleted_at IS NOT NULL`,
  );
}

/** What prevents a removal. */
const unremoved = ["NoDriver", "NotAttached", "Refused", "DriverFailed", "InternalError"];
