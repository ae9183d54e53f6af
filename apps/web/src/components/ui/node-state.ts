import { freshness, type Node, type NodeState } from "@fairlead/domain";

/**
 * nodeStateNow is the state of a node or an agent at this moment, not when it was read: one that stops is noticed here
 * before the control plane says so, also when that is what stopped. now 0 is a page that is not alive yet.
 */
export function nodeStateNow(
  { state, lastReportAt, reportIntervalMs }: Pick<Node, "state" | "lastReportAt" | "reportIntervalMs">,
  now: number,
): NodeState {
  const speaks = state === "in-sync" || state === "out-of-sync";
  return speaks && now > 0 && freshness(lastReportAt, reportIntervalMs, new Date(now)) === "silent" ? "silent" : state;
}
