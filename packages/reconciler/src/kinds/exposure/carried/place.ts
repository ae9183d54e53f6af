import type { Tx } from "@fairlead/db";
import {
  clustersOf,
  type DesiredExposure,
  type DesiredLoadBalancer,
  engineSpecOf,
  enginesFor,
  type PacketEngine,
  withinCluster,
} from "@fairlead/domain/exposure";
import { explainUnsuited, type Placement, placeReplicas } from "@fairlead/domain/load-balancer";
import { givenUpAfterMs } from "@fairlead/domain/node";
import { lockPlacing, moveReplicas, type PresentAgent, selectBalancerAgents } from "./agents.sql.ts";

export type Placed = {
  placed: DesiredExposure;
  /** Why no live agent is suitable, by cluster; empty when one is. */
  unsuited: ReadonlyMap<string, string>;
  /** When a silent agent is to be given up; null while none is silent. */
  judgeInMs: number | null;
};

/** place finds an agent for every replica that carries packets, and returns the exposure with its new placement. */
export async function place(tx: Tx, desired: DesiredExposure, presentForMs: number): Promise<Placed> {
  const found = new Map<string, DesiredLoadBalancer>();
  const unsuited = new Map<string, string>();
  const waits: number[] = [];
  // In the order of their ids: two exposures that span the same clusters would otherwise lock them crosswise.
  for (const cluster of clustersOf(desired).sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { placed, unsuited: why, judgeInMs } = await placeIn(tx, withinCluster(desired, cluster), presentForMs);
    for (const each of placed.loadBalancers) found.set(each.id, each);
    unsuited.set(cluster.id, why);
    if (judgeInMs !== null) waits.push(judgeInMs);
  }
  const loadBalancers = desired.loadBalancers.map((each) => found.get(each.id) ?? each);
  return { placed: { ...desired, loadBalancers }, unsuited, judgeInMs: waits.length > 0 ? Math.min(...waits) : null };
}

/** placeIn does so in one cluster. With the strategy adaptive, only an agent next to one of that role has the costs. */
async function placeIn(tx: Tx, desired: DesiredExposure, presentForMs: number) {
  const engines = enginesFor(engineSpecOf(desired.strategy, desired.ports, desired.cluster.kind));
  const plan = async () => {
    const found = await selectBalancerAgents(tx, desired, presentForMs);
    const isByCost = desired.strategy.type === "adaptive";
    const agents = found.map((each) => ({ ...each, isUnfit: isByCost && !each.hasCosts }));
    return { agents, ...planMoves(desired, agents, engines) };
  };
  let { agents, placed, moved } = await plan();
  if (moved.length > 0) {
    await lockPlacing(tx, desired.cluster.id);
    ({ agents, placed, moved } = await plan());
    await moveReplicas(tx, moved);
  }
  return { placed, unsuited: explainUnsuited(agents, engines), judgeInMs: judgeInMs(placed, agents) };
}

/** Balancers of one exposure are placed one after the other, so each counts what an agent has of the others by then. */
function planMoves(desired: DesiredExposure, agents: readonly PresentAgent[], engines: readonly PacketEngine[]) {
  const moved: Placement[] = [];
  const counts = new Map<string, number>();
  const count = (replicas: readonly { agentId: string | null }[], by: number) => {
    for (const { agentId } of replicas) if (agentId) counts.set(agentId, (counts.get(agentId) ?? 0) + by);
  };
  for (const { deletedAt, replicas } of desired.loadBalancers) if (!deletedAt) count(replicas, 1);
  const loadBalancers = desired.loadBalancers.map((balancer) => {
    if (balancer.deletedAt) return balancer;
    count(balancer.replicas, -1);
    const laden = agents.map((each) => ({ ...each, replicaCount: each.replicaCount + (counts.get(each.id) ?? 0) }));
    const own = balancer.replicas.filter((each) => each.role === "balancer");
    const found = placeReplicas(own, laden, engines);
    count(found, 1);
    const where = new Map(found.map((each) => [each.id, each]));
    const replicas = balancer.replicas.map((each) => ({ ...each, ...where.get(each.id) }));
    const before = new Map(balancer.replicas.map((each) => [each.id, each.agentId]));
    moved.push(...replicas.filter((each) => before.get(each.id) !== each.agentId));
    return { ...balancer, replicas };
  });
  return { placed: { ...desired, loadBalancers }, moved };
}

function judgeInMs({ loadBalancers }: DesiredExposure, agents: readonly PresentAgent[]): number | null {
  const used = new Set(loadBalancers.flatMap((each) => each.replicas.map((replica) => replica.agentId)));
  const waits = agents
    // An agent that has merely not reported yet is not waited for; the sweep marks the exposure when one falls silent.
    .filter((each) => used.has(each.id) && each.isSilent)
    .flatMap(({ silentForMs, reportIntervalMs }) =>
      silentForMs === null ? [] : [givenUpAfterMs(reportIntervalMs) - silentForMs],
    )
    .filter((ms) => ms > 0);
  return waits.length > 0 ? Math.min(...waits) : null;
}
