import { Prisma, type Tx } from "@fairlead/db";
import { bgpRoles } from "@fairlead/domain";

export type AskedAgent = {
  agentId: string;
  nodeId: string;
  nodeName: string;
  clusterId: string;
  clusterName: string;
  role: string;
  state: string;
  version: string;
  lastReportAt: Date | null;
};

const tables = ["reflector", "router"];

/** selectAsked finds the one agent, or the reflectors and routers of one cluster or of all; never very many. */
export function selectAsked(
  tx: Tx,
  organizationId: string,
  { agentId, clusterId, most }: { agentId?: string | undefined; clusterId?: string | undefined; most: number },
): Promise<AskedAgent[]> {
  const which = agentId
    ? Prisma.sql`a.id = ${agentId} AND a.roles && ${[...bgpRoles]}::text[]`
    : Prisma.sql`a.roles && ${tables}::text[]`;
  const where = clusterId ? Prisma.sql`AND n.cluster_id = ${clusterId}` : Prisma.empty;
  return tx.$queryRaw`
    SELECT a.id AS "agentId", n.id AS "nodeId", n.name AS "nodeName", c.id AS "clusterId", c.name AS "clusterName",
      a.roles[1] AS role, v.state, v.version, v."lastReportAt"
    FROM agent a JOIN agent_view v ON v.id = a.id JOIN node n ON n.id = a.node_id JOIN cluster c ON c.id = n.cluster_id
    WHERE a.organization_id = ${organizationId} AND a.revoked_at IS NULL AND ${which} ${where}
    ORDER BY a.roles[1], n.name, a.id LIMIT ${most}`;
}
