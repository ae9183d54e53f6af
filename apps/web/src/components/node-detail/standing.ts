import { type NodeDetail, type NodeState, nodeMessage } from "@fairlead/domain";
import { nodeStateNow } from "../ui/node-state.ts";

type Standing = { state: NodeState; message: string };

/** standingNow says how a node stands at this moment, and the ages in its sentence go on. */
export function standingNow(node: NodeDetail, now: number): Standing {
  const state = nodeStateNow(node, now);
  if (now === 0) return { state, message: node.message };
  const agent = speakerOf(node);
  const message = nodeMessage(
    {
      state,
      configError: agent?.configError ?? "",
      desiredRevision: agent?.desiredRevision ?? 0,
      observedRevision: agent?.observedRevision ?? 0,
      lastReportAt: node.lastReportAt,
    },
    new Date(now),
  );
  return { state, message };
}

/** isSilentState says that what such a node measured is from before. */
export function isSilentState(state: NodeState): boolean {
  return state !== "in-sync" && state !== "out-of-sync";
}

/** speakerOf is the agent whose state the node shows. */
function speakerOf(node: NodeDetail) {
  return (
    node.agents.find(
      (agent) => agent.state === node.state && agent.lastReportAt?.getTime() === node.lastReportAt?.getTime(),
    ) ??
    node.agents.find((agent) => agent.state === node.state) ??
    node.agents[0]
  );
}

/** whySilent is the sentence over figures that are from before; null while the node speaks. */
export function whySilent(node: NodeDetail, state: NodeState): string | null {
  if (!isSilentState(state)) return null;
  if (state === "revoked") return "The agent was revoked; nothing new comes from this node.";
  if (!node.lastReportAt) return "The node has never reported.";
  return "The node is silent; this is what it said before.";
}

/** describesMachine says whether the agents of a node tell of the machine, or none is there yet that could. */
export function describesMachine({ agents }: Pick<NodeDetail, "agents">): boolean {
  return agents.length === 0 || agents.some(({ roles }) => roles.includes("node"));
}
