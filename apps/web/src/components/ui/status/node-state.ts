import { freshness, type Node, type NodeState } from "@fairlead/domain/node";

/**
 * nodeStateNow is the current state of a node or an agent, not the state when it was fetched. A silent node is detected
 * here before the control plane reports it, even if the control plane is what stopped. now is 0 before hydration.
 */
export function nodeStateNow(
  { state, lastReportAt, reportIntervalMs }: Pick<Node, "state" | "lastReportAt" | "reportIntervalMs">,
  now: number,
): NodeState {
  const speaks = state === "in-sync" || state === "out-of-sync";
  return speaks && now > 0 && freshness(lastReportAt, reportIntervalMs, new Date(now)) === "silent" ? "silent" : state;
}
