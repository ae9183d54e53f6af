import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type ExposureRow = {
  id: string;
  name: string;
  clusterId: string;
  clusterName: string;
  message: string;
};

/**
 * findExposures finds exposures that don't serve, or only in part. The conditions that aren't met determine the kind, so that
 * its action leads to what has to be fixed. What prevents others comes first.
 */
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
          WHEN 'AddressLacking' = ANY(unmet.reasons) THEN 'exposure-no-address'
          WHEN s.phase <> 'degraded' AND 'NoAgents' = ANY(unmet.reasons) THEN 'exposure-no-agents'
          WHEN s.phase <> 'degraded' AND 'InstancesUnknown' = ANY(unmet.reasons) THEN 'exposure-instances-unknown'
          WHEN unmet.reasons && ARRAY['NoBackends', 'NoInstances'] THEN 'exposure-no-backends'
          WHEN 'BackendsDown' = ANY(unmet.reasons) AND NOT EXISTS (
            SELECT 1 FROM load_balancer l JOIN load_balancer_status b ON b.load_balancer_id = l.id
            WHERE l.exposure_id = e.id AND b.backends_up > 0
          ) THEN 'exposure-backends-down'
          WHEN s.phase <> 'degraded' AND unmet.reasons && ARRAY['ReplicaSilent', 'ReplicasSilent'] THEN 'exposure-agents-silent'
          WHEN s.phase <> 'degraded' AND 'NotCarried' = ANY(unmet.reasons) THEN 'exposure-replicas-failed'
          WHEN s.phase = 'failed' THEN 'exposure-failed'
          WHEN s.phase <> 'degraded' THEN 'exposure-pending'
          WHEN unmet.reasons && ARRAY['TooManyInstances', 'InstancesOmitted'] THEN 'exposure-too-many-instances'
          WHEN 'NoAgents' = ANY(unmet.reasons) THEN 'exposure-partly-placed'
          WHEN unmet.reasons && ARRAY['ReplicaSilent', 'ReplicasSilent'] THEN 'exposure-replica-silent'
          WHEN 'NotCarried' = ANY(unmet.reasons) THEN 'exposure-replica-failed'
          WHEN 'BackendsDown' = ANY(unmet.reasons) THEN 'exposure-some-backends-down'
          WHEN unmet.reasons && ARRAY['NotBySession', 'ByProxy', 'BackendsNotBySession'] THEN 'exposure-not-by-session'
          WHEN 'NotByCost' = ANY(unmet.reasons) THEN 'exposure-not-by-cost'
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
