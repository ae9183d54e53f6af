import type { Tx } from "@fairlead/db";
import { type AdaptiveSnapshot, planClientPrefixes } from "@fairlead/domain/load-balancer";
import {
  type AdaptiveAgent,
  selectAdaptiveAgents,
  selectAdaptiveBalancers,
  selectClientAddresses,
  toPeers,
} from "../adaptive-state.sql.ts";
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
  const prefixes = planClientPrefixes(withOwn(await selectClientAddresses(tx, clusterId), others));
  const sealedKeys = (await selectSessionKeys(tx, [clusterId])).get(clusterId) ?? null;
  const common = { nodeId, peers: toPeers(others), prefixes, sealedKeys };
  return new Map(
    agentIds.map((agentId) => {
      const own = placed.filter((each) => each.agentIds.includes(agentId)).map((each) => each.balancer);
      return [agentId, { ...common, loadBalancers: own.filter((each) => !pausedIds.has(each.id)) }];
    }),
  );
}

/** withOwn adds the address of each node itself, from which its processes connect. */
function withOwn(
  addresses: ReadonlyMap<string, readonly string[]>,
  agents: readonly AdaptiveAgent[],
): Map<string, string[]> {
  const all = new Map([...addresses].map(([nodeId, own]) => [nodeId, [...own]]));
  for (const { nodeId, meshAddress } of agents) {
    const host = meshAddress.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
    if (host !== "") all.set(nodeId, [...(all.get(nodeId) ?? []), host]);
  }
  return all;
}
