import type { Tx } from "@fairlead/db";

export type SilentAgent = {
  agentId: string;
  nodeId: string;
  nodeName: string;
  roles: string[];
  organizationId: string;
  clusterId: string;
  /** By PostgreSQL's clock, like the time of the last report. */
  silentForMs: number;
};

const most = 500;

/**
 * markSilentAgents marks which agents are silent, by the view of agents. Each is returned to one caller only; a row
 * that a report holds locked is not silent, so it is left out.
 */
export async function markSilentAgents(tx: Tx): Promise<SilentAgent[]> {
  return tx.$queryRaw<SilentAgent[]>`
    WITH silent AS (
      SELECT s.agent_id, a.roles, n.id, n.name, n.organization_id, n.cluster_id
      FROM node_status s JOIN agent a ON a.id = s.agent_id JOIN agent_view v ON v.id = s.agent_id JOIN node n ON n.id = v."nodeId"
      WHERE s.silent_since IS NULL AND v.state = 'silent'
      ORDER BY s.agent_id LIMIT ${most}
      FOR UPDATE OF s SKIP LOCKED
    )
    UPDATE node_status AS status SET silent_since = now()
    FROM silent WHERE status.agent_id = silent.agent_id
    RETURNING status.agent_id AS "agentId", silent.id AS "nodeId", silent.name AS "nodeName", silent.roles,
      silent.organization_id AS "organizationId", silent.cluster_id AS "clusterId",
      (extract(epoch FROM now() - status.last_report_at) * 1000)::float8 AS "silentForMs"`;
}
