import { Prisma, type Tx } from "@fairlead/db";
import type { BalancerNode, CarriedExposure, FlowExposure, Measured } from "@fairlead/domain/traffic-flow";
import { measuredOverMs } from "../routing/measure-hops.sql.ts";

/**
 * lastMinuteOf averages a series over the last minute. One that covers only a part of it, such as that of a replica that is
 * gone, counts for that part: its successor has the rest.
 */
function lastMinuteOf(seriesId: Prisma.Sql, now: Date): Prisma.Sql {
  const since = new Date(now.getTime() - measuredOverMs);
  return Prisma.sql`
    SELECT avg(value) * CASE WHEN reporter.interval_ms IS NULL THEN 1
      ELSE least(1, count(*) * reporter.interval_ms / ${measuredOverMs}::float8) END AS bps
    FROM sample WHERE series_id = ${seriesId} AND at > ${since} AND at <= ${now}`;
}

/** selectMeasured returns the means of the last minute of these load balancers and backends, by replica. */
export function selectMeasured(tx: Tx, subjectIds: readonly string[], now: Date): Promise<Measured[]> {
  const since = new Date(now.getTime() - measuredOverMs);
  return tx.$queryRaw<Measured[]>`
    SELECT s.subject_id AS "subjectId", s.metric, s.agent_id AS "agentId", latest.bps AS value
    FROM series s LEFT JOIN LATERAL (${intervalOf(Prisma.sql`s.agent_id`)}) reporter ON true
      CROSS JOIN LATERAL (${lastMinuteOf(Prisma.sql`s.id`, now)} GROUP BY reporter.interval_ms) latest
    WHERE s.subject_id = ANY(${[...subjectIds]}::text[]) AND s.metric IN ('throughputBps', 'dropsPerSecond')
      AND (s.ended_at IS NULL OR s.ended_at > ${since})`;
}

/** How often an agent reports; nothing for the series of a cloud. */
function intervalOf(agentId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT coalesce((n.settings ->> 'reportIntervalMs')::float8, 5000) AS interval_ms
    FROM agent a JOIN node n ON n.id = a.node_id WHERE a.id = ${agentId}`;
}

/** Per picture. */
export const mostNodes = 2_000;

export type NodeRow = Omit<BalancerNode, "throughputBps" | "dropsPerSecond">;

/** selectBalancerNodes returns the nodes that carry replicas of our balancers. */
export function selectBalancerNodes(tx: Tx, organizationId: string): Promise<NodeRow[]> {
  return tx.$queryRaw<NodeRow[]>`
    SELECT n.id, n.name, count(*)::int AS replicas, count(s.replica_id)::int AS observed,
      (count(*) FILTER (WHERE s.ready))::int AS ready,
      bool_and(v.state IN ('silent', 'never-seen')) AS "isSilent"
    FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id JOIN agent_view v ON v.id = r.agent_id
      JOIN node n ON n.id = v."nodeId" LEFT JOIN replica_status s ON s.replica_id = r.id
    WHERE l.organization_id = ${organizationId} AND v.state <> 'revoked'
    GROUP BY n.id ORDER BY n.name, n.id LIMIT ${mostNodes + 1}`;
}

/** selectCarried returns what each node carries of each exposure, by the last minute. */
export function selectCarried(tx: Tx, organizationId: string, now: Date): Promise<CarriedExposure[]> {
  return tx.$queryRaw<CarriedExposure[]>`
    SELECT l.exposure_id AS "exposureId", a.node_id AS "nodeId",
      CASE WHEN count(*) = count(latest.bps) THEN sum(latest.bps) END AS "throughputBps"
    FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id JOIN agent a ON a.id = r.agent_id AND a.revoked_at IS NULL
      CROSS JOIN LATERAL (${intervalOf(Prisma.sql`r.agent_id`)}) reporter
      LEFT JOIN series s ON s.subject_id = l.id AND s.metric = 'throughputBps' AND s.labels = '{"agent":"' || r.agent_id || '"}'
      LEFT JOIN LATERAL (${lastMinuteOf(Prisma.sql`s.id`, now)} GROUP BY reporter.interval_ms) latest ON true
    WHERE l.organization_id = ${organizationId} GROUP BY 1, 2`;
}

/** selectCarriedExposures returns the exposures that our balancers carry, with the number of their backends. */
export function selectCarriedExposures(tx: Tx, organizationId: string): Promise<FlowExposure[]> {
  return tx.$queryRaw<FlowExposure[]>`
    SELECT e.id, e.name, CASE WHEN e.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase, (
      SELECT CASE WHEN count(*) > 0 THEN jsonb_build_object('up', sum(b.backends_up), 'total', sum(b.backends_total)) END
      FROM load_balancer own JOIN load_balancer_status b ON b.load_balancer_id = own.id WHERE own.exposure_id = e.id
    ) AS backends
    FROM exposure e LEFT JOIN exposure_status s ON s.exposure_id = e.id
    WHERE e.organization_id = ${organizationId} AND EXISTS (
      SELECT 1 FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id WHERE l.exposure_id = e.id AND r.agent_id IS NOT NULL
    )`;
}
