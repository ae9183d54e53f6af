import { Prisma, type Tx } from "@fairlead/db";

/** An agent with the role balancer that reports, on whose node a candidate's traffic goes. */
export type CandidateBalancer = {
  candidateId: string;
  agentId: string;
  nodeId: string;
  nodeName: string;
  /** null: its node doesn't report it. */
  cores: number | null;
  linkBps: number | null;
};

const reporting = Prisma.sql`
  SELECT a.id AS agent_id, n.id AS node_id, n.name, n.cluster_id,
    (SELECT max((s.facts ->> 'cpuCount')::int) FROM node_status s WHERE s.node_id = n.id) AS cores,
    (SELECT max((i ->> 'speedBps')::float8) FROM node_status s CROSS JOIN jsonb_array_elements(coalesce(s.facts -> 'interfaces', '[]')) i
      WHERE s.node_id = n.id AND (i ->> 'up')::boolean) AS link
  FROM agent a JOIN node n ON n.id = a.node_id JOIN node_status own ON own.agent_id = a.id
  WHERE a.revoked_at IS NULL AND 'balancer' = ANY(a.roles) AND n.draining_since IS NULL`;

/** As in agent_view: an agent that is late by three reports is silent. */
const isHeard = Prisma.sql`
  now() - own.last_report_at <= greatest(3 * coalesce((n.settings ->> 'reportIntervalMs')::int, 5000), 15000) * interval '1 ms'`;

/** selectClusterBalancers returns the balancers of each cluster. */
export function selectClusterBalancers(tx: Tx, organizationId: string): Promise<CandidateBalancer[]> {
  return tx.$queryRaw<CandidateBalancer[]>`
    WITH balancer AS (${reporting} AND ${isHeard} AND a.organization_id = ${organizationId})
    SELECT cluster_id AS "candidateId", agent_id AS "agentId", node_id AS "nodeId", name AS "nodeName", cores, link AS "linkBps"
    FROM balancer ORDER BY agent_id`;
}

/** selectExposureBalancers returns the balancers that carry each exposure. */
export function selectExposureBalancers(tx: Tx, organizationId: string): Promise<CandidateBalancer[]> {
  return tx.$queryRaw<CandidateBalancer[]>`
    WITH balancer AS (${reporting} AND ${isHeard} AND a.organization_id = ${organizationId})
    SELECT DISTINCT l.exposure_id AS "candidateId", b.agent_id AS "agentId", b.node_id AS "nodeId", b.name AS "nodeName", b.cores, b.link AS "linkBps"
    FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id AND r.role = 'balancer' JOIN balancer b ON b.agent_id = r.agent_id
    WHERE l.organization_id = ${organizationId} AND l.deleted_at IS NULL ORDER BY 2, 1`;
}
