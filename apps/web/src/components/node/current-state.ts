import { type NodeDetail, type NodeState, nodeMessage } from "@fairlead/domain/node";
import { nodeStateNow } from "../ui/status/node-state.ts";

type CurrentState = { state: NodeState; message: string };

/** currentState returns the current state of a node, with current ages in its message. */
export function currentState(node: NodeDetail, now: number): CurrentState {
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

/** isSilentState reports whether the metrics of a node in this state are outdated. */
export function isSilentState(state: NodeState): boolean {
  return state !== "in-sync" && state !== "out-of-sync";
}

/** speakerOf returns the agent whose state the node shows. */
function speakerOf(node: NodeDetail) {
  return (
    node.agents.find(
      (agent) => agent.state === node.state && agent.lastReportAt?.getTime() === node.lastReportAt?.getTime(),
    ) ??
    node.agents.find((agent) => agent.state === node.state) ??
    node.agents[0]
  );
}

/** whySilent explains outdated metrics; null while the node reports. */
export function whySilent(node: NodeDetail, state: NodeState): string | null {
  if (!isSilentState(state)) return null;
  if (state === "revoked") return "The agent was revoked. This node sends no new data.";
  if (!node.lastReportAt) return "The node has never reported.";
  return "The node is silent. This is its last report.";
}

/** describesMachine reports whether an agent of the node describes the machine, or no agent is enrolled yet. */
export function describesMachine({ agents }: Pick<NodeDetail, "agents">): boolean {
  return agents.length === 0 || agents.some(({ roles }) => roles.includes("node"));
}
