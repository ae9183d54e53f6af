import { Prisma, type Tx } from "@fairlead/db";

export type QueriedAgent = {
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

/**
 * selectQueried finds agents of some roles: a single one, or those of one cluster or of all, reflectors first; a
 * bounded number.
 */
export function selectQueried(
  tx: Tx,
  organizationId: string,
  of: { roles: readonly string[]; agentId?: string | undefined; clusterId?: string | undefined; most: number },
): Promise<QueriedAgent[]> {
  const { roles, agentId, clusterId, most } = of;
  const one = agentId ? Prisma.sql`AND a.id = ${agentId}` : Prisma.empty;
  const where = clusterId ? Prisma.sql`AND n.cluster_id = ${clusterId}` : Prisma.empty;
  return tx.$queryRaw`
    SELECT a.id AS "agentId", n.id AS "nodeId", n.name AS "nodeName", c.id AS "clusterId", c.name AS "clusterName",
      a.roles[1] AS role, v.state, v.version, v."lastReportAt"
    FROM agent a JOIN agent_view v ON v.id = a.id JOIN node n ON n.id = a.node_id JOIN cluster c ON c.id = n.cluster_id
    WHERE a.organization_id = ${organizationId} AND a.revoked_at IS NULL AND a.roles && ${[...roles]}::text[] ${one} ${where}
    ORDER BY array_position(ARRAY['reflector', 'router', 'speaker'], a.roles[1]), n.name, a.id LIMIT ${most}`;
}
