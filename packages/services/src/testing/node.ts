import { newId } from "@fairlead/domain";
import { nodeSettings } from "@fairlead/domain/node";
import type { ServiceContext } from "../context.ts";

export type TestNode = { nodeId: string; agentId: string };

/** createTestNode creates a node with an agent that runs revision 1; lastReportAt null is one that never reported. */
export async function createTestNode(
  ctx: ServiceContext,
  clusterId: string,
  options: {
    name?: string;
    roles?: string[];
    lastReportAt?: Date | null;
    revokedAt?: Date;
    configError?: string;
  } = {},
): Promise<TestNode> {
  const { db, organizationId, now } = ctx;
  const { name = "node-1", roles = ["node"], lastReportAt = new Date(), revokedAt = null, configError = "" } = options;
  const nodeId = newId("node", now);
  const agentId = newId("agent", now);
  await db.node.create({ data: { id: nodeId, organizationId, clusterId, name, settings: nodeSettings.parse({}) } });
  await db.agent.create({
    data: {
      id: agentId,
      organizationId,
      nodeId,
      roles,
      allowedRoles: roles,
      certificateSerial: agentId,
      certificateExpiresAt: new Date(now.getTime() + 30 * 24 * 3_600_000),
      revokedAt,
    },
  });
  await db.nodeConfig.create({ data: { agentId, nodeId, revision: 1, digest: "", config: {}, compiledAt: now } });
  if (lastReportAt)
    await db.nodeStatus.create({
      data: {
        agentId,
        nodeId,
        bootId: "boot",
        sequence: 1,
        observedRevision: 1,
        configError,
        version: "1.2.3",
        lastReportAt,
      },
    });
  return { nodeId, agentId };
}
