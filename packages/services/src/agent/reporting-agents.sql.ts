import { Prisma, type Tx } from "@fairlead/db";

export type ReportingAgent = { id: string; nodeName: string; speaks: boolean };

/** selectReportingAgents returns all agents of a node or of a cluster, with whether they still report. */
export async function selectReportingAgents(
  tx: Tx,
  organizationId: string,
  of: { nodeId: string } | { clusterId: string },
): Promise<ReportingAgent[]> {
  const which = "nodeId" in of ? Prisma.sql`n.id = ${of.nodeId}` : Prisma.sql`n.cluster_id = ${of.clusterId}`;
  return tx.$queryRaw<ReportingAgent[]>`
    SELECT v.id, n.name AS "nodeName", v.state IN ('in-sync', 'out-of-sync') AS speaks
    FROM agent_view v JOIN node n ON n.id = v."nodeId"
    WHERE v."organizationId" = ${organizationId} AND ${which} ORDER BY n.name, v.id`;
}
