import type { Tx } from "@fairlead/db";
import type { AdaptiveSnapshot } from "@fairlead/domain/load-balancer";
import { selectAdaptiveAgents, selectAdaptiveBalancers, toPeers } from "../adaptive-state.sql.ts";
import { selectClientPrefixes } from "../client-prefixes/plan.sql.ts";
import { selectSessionKeys } from "../session-state.sql.ts";

/** loadAdaptive returns what each agent of the role adaptive of a node needs, without what is paused; by agent. */
export async function loadAdaptive(
  tx: Tx,
  { id: nodeId, clusterId }: { id: string; clusterId: string },
  agents: readonly { id: string; roles: string[] }[],
  pausedIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, AdaptiveSnapshot>> {
  const agentIds = agents.filter((each) => each.roles.includes("adaptive")).map((each) => each.id);
  if (agentIds.length === 0) return new Map();
  const placed = await selectAdaptiveBalancers(tx, { agentIds });
  const others = await selectAdaptiveAgents(tx, clusterId);
  const prefixes = await selectClientPrefixes(tx, clusterId);
  const sealedKeys = (await selectSessionKeys(tx, [clusterId])).get(clusterId) ?? null;
  const common = { nodeId, peers: toPeers(others), prefixes, sealedKeys };
  return new Map(
    agentIds.map((agentId) => {
      const own = placed.filter((each) => each.agentIds.includes(agentId)).map((each) => each.balancer);
      return [agentId, { ...common, loadBalancers: own.filter((each) => !pausedIds.has(each.id)) }];
    }),
  );
}
