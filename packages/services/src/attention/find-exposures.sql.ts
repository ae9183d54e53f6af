import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type ExposureRow = {
  id: string;
  name: string;
  clusterId: string;
  clusterName: string;
  message: string;
};

/** findExposures finds exposures that don't serve, or only in part. The conditions that aren't met determine the kind. */
export function findExposures(tx: Tx, scope: Scope) {
  return rankFound<ExposureRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT e.id, e.name, e.cluster_id AS "clusterId", c.name AS "clusterName", coalesce(s.message, '') AS message,
        coalesce(unmet.since, e.created_at) AS since,
        CASE
          WHEN 'Refused' = ANY(unmet.reasons) THEN 'exposure-refused'
          WHEN 'NoDriver' = ANY(unmet.reasons) THEN 'exposure-no-driver'
          WHEN 'NotAttached' = ANY(unmet.reasons) THEN 'exposure-not-attached'
          WHEN s.phase <> 'degraded' AND 'NoAgents' = ANY(unmet.reasons) THEN 'exposure-no-agents'
          WHEN unmet.reasons && ARRAY['NoBackends', 'NoInstances'] THEN 'exposure-no-backends'
          WHEN 'BackendsDown' = ANY(unmet.reasons) AND NOT EXISTS (
            SELECT 1 FROM load_balancer l JOIN load_balancer_status b ON b.load_balancer_id = l.id
            WHERE l.exposure_id = e.id AND b.backends_up > 0
          ) THEN 'exposure-backends-down'
          WHEN s.phase = 'failed' THEN 'exposure-failed'
          WHEN s.phase = 'degraded' THEN 'exposure-degraded'
          ELSE 'exposure-pending'
        END AS kind
      FROM exposure e
      JOIN cluster c ON c.id = e.cluster_id
      LEFT JOIN exposure_status s ON s.exposure_id = e.id
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(condition ->> 'reason'), '{}') AS reasons,
          min((condition ->> 'changedAt')::timestamptz) FILTER (WHERE condition ->> 'status' = 'false') AS since
        FROM jsonb_array_elements(coalesce(s.conditions, '[]')) condition WHERE condition ->> 'status' <> 'true'
      ) unmet
      WHERE e.organization_id = ${scope.organizationId} AND ${inCluster("e.cluster_id", scope)}
        AND e.deleted_at IS NULL AND coalesce(s.phase, 'pending') <> 'serving'`,
  );
}
