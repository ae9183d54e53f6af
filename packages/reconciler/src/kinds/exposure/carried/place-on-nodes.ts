import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { DesiredExposure, DesiredLoadBalancer } from "@fairlead/domain/exposure";
import { type AdaptiveAgent, selectAdaptiveAgents } from "../../adaptive-state.sql.ts";

/**
 * placeOnNodes gives each agent of the role adaptive a replica of the exposure, and returns it with these. A replica stays
 * while its agent is silent: the kernel distributes connections without it.
 */
export async function placeOnNodes(tx: Tx, desired: DesiredExposure, now: Date): Promise<DesiredExposure> {
  const agents = await selectAdaptiveAgents(tx, desired.cluster.id);
  const loadBalancers: DesiredLoadBalancer[] = [];
  for (const balancer of desired.loadBalancers)
    loadBalancers.push(balancer.deletedAt ? balancer : await placeBalancer(tx, balancer, agents, now));
  return { ...desired, loadBalancers };
}

async function placeBalancer(
  tx: Tx,
  balancer: DesiredLoadBalancer,
  agents: readonly AdaptiveAgent[],
  now: Date,
): Promise<DesiredLoadBalancer> {
  const { id: loadBalancerId } = balancer;
  const wanted = new Map(agents.map((each) => [each.agentId, each]));
  const { balancer: others = [], adaptive: own = [] } = Object.groupBy(balancer.replicas, (each) => each.role);
  const kept = own.filter((each) => wanted.delete(each.agentId ?? ""));
  const dropped = own.filter((each) => !kept.includes(each));
  const first = Math.max(-1, ...kept.map((each) => each.ordinal)) + 1;
  const added = [...wanted.values()].map(({ agentId, nodeId }, index) => ({
    ...{ id: newId("replica", now), role: "adaptive" as const, ordinal: first + index, agentId, nodeId },
  }));
  if (dropped.length > 0) await tx.replica.deleteMany({ where: { id: { in: dropped.map((each) => each.id) } } });
  if (added.length > 0) await tx.replica.createMany({ data: added.map((each) => ({ ...each, loadBalancerId })) });
  return { ...balancer, replicas: [...kept, ...added, ...others] };
}
