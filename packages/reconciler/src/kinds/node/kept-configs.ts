import type { Tx } from "@fairlead/db";
import { type KeptConfig, keepConfig } from "@fairlead/domain/node";
import { loadConfigs } from "@fairlead/services/gateway";

/** loadKept returns what the agents' stored configs have of these load balancers, by agent. */
export async function loadKept(
  tx: Tx,
  agentIds: readonly string[],
  pausedIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KeptConfig>> {
  if (pausedIds.size === 0) return new Map();
  const stored = await loadConfigs(tx, agentIds);
  return new Map(stored.map(({ agentId, config }) => [agentId, keepConfig(config, pausedIds)]));
}
