import { describeAge } from "../age.ts";
import type { NodeState } from "./node.ts";

export type NodeMessageInput = {
  state: NodeState;
  configError: string;
  desiredRevision: number;
  observedRevision: number;
  lastReportAt: Date | null;
};

/** nodeMessage says in one sentence how a node stands, and how old that knowledge is. */
export function nodeMessage(node: NodeMessageInput, now: Date): string {
  const { desiredRevision, observedRevision, lastReportAt } = node;
  const age = lastReportAt ? describeAge(now.getTime() - lastReportAt.getTime()) : "";
  switch (node.state) {
    case "in-sync":
      return `Runs revision ${observedRevision}; reported ${age} ago.`;
    case "out-of-sync":
      if (node.configError)
        return `Refuses revision ${desiredRevision} and keeps ${observedRevision}: ${withStop(node.configError)}`;
      if (desiredRevision === 0) return `Has no configuration yet; reported ${age} ago.`;
      if (desiredRevision === observedRevision)
        return `Runs another configuration than this control plane's revision ${desiredRevision}, which it gets anew; reported ${age} ago.`;
      return `Runs revision ${observedRevision}, should run ${desiredRevision}; reported ${age} ago.`;
    case "silent":
      return `Silent for ${age}; what is shown of it is that old.`;
    case "never-seen":
      return "Has never reported.";
    case "revoked":
      return "Its agent is revoked; enrol one anew to bring it back.";
    default:
      return node.state satisfies never;
  }
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
