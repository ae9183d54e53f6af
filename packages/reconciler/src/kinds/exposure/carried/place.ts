import type { Tx } from "@fairlead/db";
import { anyEngine, type DesiredExposure, givenUpAfterMs, placeReplicas } from "@fairlead/domain";
import { moveReplicas, selectBalancerAgents } from "./agents.sql.ts";

/** judgeInMs is when a silent agent is to be given up; null while there is none to wait for. */
export type Placed = { placed: DesiredExposure; judgeInMs: number | null };

/** place finds an agent for every replica, and answers the exposure as it is placed then. */
export async function place(tx: Tx, desired: DesiredExposure, presentForMs: number): Promise<Placed> {
  const agents = await selectBalancerAgents(tx, desired, presentForMs);
  const engine = desired.strategy.type === "ecmp" ? desired.strategy.engine : undefined;
  const loadBalancers = desired.loadBalancers.map((balancer) => {
    if (balancer.deletedAt) return { balancer, moved: [] };
    const placements = placeReplicas(balancer.replicas, agents, engine ?? anyEngine);
    const before = new Map(balancer.replicas.map((each) => [each.id, each.agentId]));
    const where = new Map(placements.map((each) => [each.id, each]));
    const replicas = balancer.replicas.map((each) => ({ ...each, ...where.get(each.id) }));
    const moved = placements.filter((each) => before.get(each.id) !== each.agentId);
    return { balancer: { ...balancer, replicas }, moved };
  });
  await moveReplicas(
    tx,
    loadBalancers.flatMap((each) => each.moved),
  );
  const placed = { ...desired, loadBalancers: loadBalancers.map((each) => each.balancer) };
  const used = new Set(placed.loadBalancers.flatMap((each) => each.replicas.map((replica) => replica.agentId)));
  const waits = agents
    // One that merely has not reported right now is none to wait for; the sweep tells when one falls silent.
    .filter((each) => used.has(each.id) && each.isSilent)
    .flatMap(({ silentForMs, reportIntervalMs }) =>
      silentForMs === null ? [] : [givenUpAfterMs(reportIntervalMs) - silentForMs],
    )
    .filter((ms) => ms > 0);
  return { placed, judgeInMs: waits.length > 0 ? Math.min(...waits) : null };
}
