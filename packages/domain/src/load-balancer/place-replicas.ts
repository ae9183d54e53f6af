import { type PacketEngine, packetEngines } from "../exposure/engines.ts";
import { givenUpAfterMs } from "../node/freshness.ts";

/** BalancerAgent is an agent that may carry replicas: not revoked, and of the role balancer. */
export type BalancerAgent = {
  id: string;
  nodeId: string;
  nodeName: string;
  /** null if it never reported. */
  silentForMs: number | null;
  reportIntervalMs: number;
  /** Number of replicas of other balancers on it. */
  replicaCount: number;
  /** The engine that it runs; empty if unknown. */
  engine: string;
  /** Other exposures that it carries, one for each set of possible engines. An agent runs only one engine. */
  others: { name: string; engines: readonly PacketEngine[] }[];
  /** Its node lacks what these replicas need there, so it gets none. Those that it has stay. */
  isUnfit?: boolean;
};

export type Placement = { id: string; agentId: string | null; nodeId: string | null };

/**
 * placeReplicas assigns replicas to agents. A replica stays while its agent is alive, because every move breaks connections.
 * One without an agent goes to the node with the fewest of its siblings, and there to the agent with the fewest replicas. One
 * whose agent was given up stays too, if there is no other place.
 */
export function placeReplicas(
  replicas: readonly { id: string; agentId: string | null }[],
  agents: readonly BalancerAgent[],
  engines: readonly PacketEngine[] = packetEngines,
): Placement[] {
  const byId = new Map(agents.map((each) => [each.id, each]));
  const taken = new Map<string, BalancerAgent>();
  const place = (replicaId: string, agent: BalancerAgent) => taken.set(replicaId, agent);
  const isTaken = (agent: BalancerAgent) => [...taken.values()].some((each) => each.id === agent.id);

  for (const { id, agentId } of replicas) {
    const agent = byId.get(agentId ?? "");
    if (agent && canCarry(agent, engines) && !isTaken(agent)) place(id, agent);
  }
  for (const { id, agentId } of replicas) {
    if (taken.has(id)) continue;
    const siblingsOn = (nodeId: string) => [...taken.values()].filter((each) => each.nodeId === nodeId).length;
    const free = agents.filter((each) => canCarry(each, engines) && !each.isUnfit && !isTaken(each));
    const [best] = free.sort(
      (a, b) =>
        siblingsOn(a.nodeId) - siblingsOn(b.nodeId) || a.replicaCount - b.replicaCount || (a.id < b.id ? -1 : 1),
    );
    const former = byId.get(agentId ?? "");
    if (best) place(id, best);
    else if (former && isSuited(former, engines) && !isTaken(former)) place(id, former);
  }
  return replicas.map(({ id }) => {
    const agent = taken.get(id);
    return { id, agentId: agent?.id ?? null, nodeId: agent?.nodeId ?? null };
  });
}

/** explainUnsuited explains which exposure prevents a live agent from running any of these engines. */
export function explainUnsuited(agents: readonly BalancerAgent[], engines: readonly PacketEngine[]): string {
  const agent = agents.find((each) => isAlive(each) && !isSuited(each, engines));
  if (!agent) return "";
  const { nodeName, others } = agent;
  const requiring = others.find((each) => !each.engines.some((engine) => engines.includes(engine)));
  const possible = requiring?.engines ?? enginesOf(agent);
  return `The agent on ${nodeName} runs one engine for all that it carries, ${possible.join(" or ")} for ${(requiring ?? others[0])?.name}.`;
}

function canCarry(agent: BalancerAgent, engines: readonly PacketEngine[]): boolean {
  return isAlive(agent) && isSuited(agent, engines);
}

function isSuited(agent: BalancerAgent, engines: readonly PacketEngine[]): boolean {
  return enginesOf(agent).some((each) => engines.includes(each));
}

/** enginesOf returns the engines that an agent may run next. If it carries other exposures, it keeps its engine, because a change breaks connections. */
function enginesOf({ engine, others }: BalancerAgent): PacketEngine[] {
  const able = packetEngines.filter((each) => others.every(({ engines }) => engines.includes(each)));
  const running = able.filter((each) => each === engine);
  return others.length > 0 && running.length > 0 ? running : able;
}

/** isAlive reports whether an agent is alive or only briefly silent. Replicas of other agents are placed elsewhere. */
export function isAlive({ silentForMs, reportIntervalMs }: Pick<BalancerAgent, "silentForMs" | "reportIntervalMs">) {
  return silentForMs !== null && silentForMs <= givenUpAfterMs(reportIntervalMs);
}
