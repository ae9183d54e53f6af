import type { Tx } from "@fairlead/db";
import type { BalancerNode, CarriedExposure, FleetFlowRows, Measured } from "@fairlead/domain/traffic-flow";
import { measuredOverMs } from "../routing/measure-hops.sql.ts";

/** selectMeasured returns the means of the last minute of these load balancers and backends, by replica. */
export function selectMeasured(tx: Tx, subjectIds: readonly string[], now: Date): Promise<Measured[]> {
  const since = new Date(now.getTime() - measuredOverMs);
  return tx.$queryRaw<Measured[]>`
    SELECT s.subject_id AS "subjectId", s.metric, s.labels::jsonb ->> 'agent' AS "agentId", latest.value
    FROM series s CROSS JOIN LATERAL (
      SELECT avg(value) AS value FROM sample WHERE series_id = s.id AND at > ${since} AND at <= ${now}
    ) latest
    WHERE s.subject_id = ANY(${[...subjectIds]}::text[]) AND s.metric IN ('throughputBps', 'dropsPerSecond')
      AND (s.ended_at IS NULL OR s.ended_at > ${since}) AND latest.value IS NOT NULL`;
}

/** Per picture, which shows the largest. */
const mostNodes = 2_000;

export type NodeRow = Omit<BalancerNode, "throughputBps" | "dropsPerSecond">;

/** selectBalancerNodes returns the nodes that carry replicas of our balancers. */
export function selectBalancerNodes(tx: Tx, organizationId: string): Promise<NodeRow[]> {
  return tx.$queryRaw<NodeRow[]>`
    SELECT n.id, n.name, count(*)::int AS replicas, (count(*) FILTER (WHERE s.ready))::int AS ready,
      bool_and(v.state IN ('silent', 'never-seen')) AS "isSilent"
    FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id JOIN agent_view v ON v.id = r.agent_id
      JOIN node n ON n.id = v."nodeId" LEFT JOIN replica_status s ON s.replica_id = r.id
    WHERE l.organization_id = ${organizationId} AND v.state <> 'revoked'
    GROUP BY n.id ORDER BY n.name, n.id LIMIT ${mostNodes}`;
}

/** selectCarried returns what each node carries of each exposure, by the last minute. */
export function selectCarried(tx: Tx, organizationId: string, now: Date): Promise<CarriedExposure[]> {
  const since = new Date(now.getTime() - measuredOverMs);
  return tx.$queryRaw<CarriedExposure[]>`
    SELECT l.exposure_id AS "exposureId", a.node_id AS "nodeId", sum(latest.bps) AS "throughputBps"
    FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id JOIN agent a ON a.id = r.agent_id AND a.revoked_at IS NULL
      LEFT JOIN series s ON s.subject_id = l.id AND s.metric = 'throughputBps' AND s.labels = '{"agent":"' || r.agent_id || '"}'
      LEFT JOIN LATERAL (
        SELECT avg(value) AS bps FROM sample WHERE series_id = s.id AND at > ${since} AND at <= ${now}
      ) latest ON true
    WHERE l.organization_id = ${organizationId} GROUP BY 1, 2`;
}

/** selectCarriedExposures returns the exposures that our balancers carry. */
export function selectCarriedExposures(tx: Tx, organizationId: string): Promise<FleetFlowRows["exposures"]> {
  return tx.$queryRaw<FleetFlowRows["exposures"]>`
    SELECT e.id, e.name, CASE WHEN e.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase
    FROM exposure e LEFT JOIN exposure_status s ON s.exposure_id = e.id
    WHERE e.organization_id = ${organizationId} AND EXISTS (
      SELECT 1 FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id WHERE l.exposure_id = e.id AND r.agent_id IS NOT NULL
    )`;
}
