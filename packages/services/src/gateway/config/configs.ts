import type { Tx } from "@fairlead/db";
import type { NodeConfig } from "@fairlead/domain/node";

export type AgentConfig = { agentId: string; revision: number; digest: string; config: NodeConfig };

/** loadConfigs returns the newest whole config of each agent that has one. */
export async function loadConfigs(tx: Tx, agentIds: readonly string[]): Promise<AgentConfig[]> {
  if (agentIds.length === 0) return [];
  const rows = await tx.nodeConfig.findMany({
    where: { agentId: { in: [...agentIds] } },
    select: { agentId: true, revision: true, digest: true, config: true },
  });
  // Only the reconciler writes this column, from a NodeConfig.
  return rows.map((row) => ({ ...row, config: row.config as NodeConfig }));
}
