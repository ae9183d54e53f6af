import type { Tx } from "@fairlead/db";
import {
  type DesiredExposure,
  enginesFor,
  engineWishOf,
  explainUnsuited,
  givenUpAfterMs,
  type Placement,
  placeReplicas,
} from "@fairlead/domain";
import { lockPlacing, moveReplicas, type PresentAgent, selectBalancerAgents } from "./agents.sql.ts";

export type Placed = {
  placed: DesiredExposure;
  /** Why an agent that lives may not carry it; empty when any may. */
  unsuited: string;
  /** When a silent agent is to be given up; null while there is none to wait for. */
  judgeInMs: number | null;
};

/** place finds an agent for every replica, and answers the exposure as it is placed then. */
export async function place(tx: Tx, desired: DesiredExposure, presentForMs: number): Promise<Placed> {
  const engines = enginesFor(engineWishOf(desired.strategy, desired.ports));
  const plan = async () => {
    const agents = await selectBalancerAgents(tx, desired, presentForMs);
    return { agents, ...planMoves(desired, (replicas) => placeReplicas(replicas, agents, engines)) };
  };
  let { agents, placed, moved } = await plan();
  if (moved.length > 0) {
    await lockPlacing(tx, desired.cluster.id);
    ({ agents, placed, moved } = await plan());
    await moveReplicas(tx, moved);
  }
  return { placed, unsuited: explainUnsuited(agents, engines), judgeInMs: judgeInMs(placed, agents) };
}

type Replicas = DesiredExposure["loadBalancers"][number]["replicas"];

function planMoves(desired: DesiredExposure, find: (replicas: Replicas) => Placement[]) {
  const moved: Placement[] = [];
  const loadBalancers = desired.loadBalancers.map((balancer) => {
    if (balancer.deletedAt) return balancer;
    const where = new Map(find(balancer.replicas).map((each) => [each.id, each]));
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
    // One that merely has not reported right now is none to wait for; the sweep tells when one falls silent.
    .filter((each) => used.has(each.id) && each.isSilent)
    .flatMap(({ silentForMs, reportIntervalMs }) =>
      silentForMs === null ? [] : [givenUpAfterMs(reportIntervalMs) - silentForMs],
    )
    .filter((ms) => ms > 0);
  return waits.length > 0 ? Math.min(...waits) : null;
}
