import { givenUpAfterMs } from "./freshness.ts";

/** BalancerAgent is one that may carry replicas: not revoked, and of the role balancer. */
export type BalancerAgent = {
  id: string;
  nodeId: string;
  /** null for one that never reported. */
  silentForMs: number | null;
  /** How often it should report. */
  reportIntervalMs: number;
  /** How many replicas of other balancers it has. */
  replicaCount: number;
  /** The engines that those insist on: an agent runs one. */
  engines: string[];
};

export type Placement = { id: string; agentId: string | null; nodeId: string | null };

/** Any engine will do. */
export const anyEngine = "auto";

/**
 * placeReplicas decides which agent carries which replica. A replica stays where it is while its agent lives, for every
 * move costs connections; one without an agent goes to the node that has the fewest of its siblings, and there to the
 * agent that has the least to do. One whose agent was given up stays too while there is no better place.
 */
export function placeReplicas(
  replicas: readonly { id: string; agentId: string | null }[],
  agents: readonly BalancerAgent[],
  engine: string = anyEngine,
): Placement[] {
  const byId = new Map(agents.map((each) => [each.id, each]));
  const taken = new Map<string, BalancerAgent>();
  const place = (replicaId: string, agent: BalancerAgent) => taken.set(replicaId, agent);
  const isTaken = (agent: BalancerAgent) => [...taken.values()].some((each) => each.id === agent.id);

  for (const { id, agentId } of replicas) {
    const agent = byId.get(agentId ?? "");
    if (agent && canCarry(agent, engine) && !isTaken(agent)) place(id, agent);
  }
  for (const { id, agentId } of replicas) {
    if (taken.has(id)) continue;
    const siblingsOn = (nodeId: string) => [...taken.values()].filter((each) => each.nodeId === nodeId).length;
    const free = agents.filter((each) => canCarry(each, engine) && !isTaken(each));
    const [best] = free.sort(
      (a, b) =>
        siblingsOn(a.nodeId) - siblingsOn(b.nodeId) || a.replicaCount - b.replicaCount || (a.id < b.id ? -1 : 1),
    );
    const former = byId.get(agentId ?? "");
    if (best) place(id, best);
    else if (former && isSuited(former, engine) && !isTaken(former)) place(id, former);
  }
  return replicas.map(({ id }) => {
    const agent = taken.get(id);
    return { id, agentId: agent?.id ?? null, nodeId: agent?.nodeId ?? null };
  });
}

function canCarry(agent: BalancerAgent, engine: string): boolean {
  return isAlive(agent) && isSuited(agent, engine);
}

function isSuited({ engines }: BalancerAgent, engine: string): boolean {
  return engine === anyEngine || engines.every((each) => each === anyEngine || each === engine);
}

/** isAlive says that an agent may still be counted on. One that is not is given up: what it carried is placed elsewhere. */
export function isAlive({ silentForMs, reportIntervalMs }: Pick<BalancerAgent, "silentForMs" | "reportIntervalMs">) {
  return silentForMs !== null && silentForMs <= givenUpAfterMs(reportIntervalMs);
}
