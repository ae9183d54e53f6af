import { describeAge } from "../age.ts";
import type { NodeState } from "./node.ts";

export type NodeMessageInput = {
  state: NodeState;
  configError: string;
  desiredRevision: number;
  observedRevision: number;
  lastReportAt: Date | null;
};

/** nodeMessage is the status of a node in one sentence. Given now, it has the age of the last report. */
export function nodeMessage(node: NodeMessageInput, now?: Date): string {
  const { desiredRevision, observedRevision, lastReportAt } = node;
  const age = now && lastReportAt ? describeAge(now.getTime() - lastReportAt.getTime()) : null;
  const reported = age === null ? "" : `; reported ${age} ago`;
  switch (node.state) {
    case "in-sync":
      return `Runs revision ${observedRevision}${reported}.`;
    case "out-of-sync":
      if (node.configError)
        return `Refuses revision ${desiredRevision} and keeps ${observedRevision}: ${withStop(node.configError)}`;
      if (desiredRevision === 0) return `Has no configuration yet${reported}.`;
      if (desiredRevision === observedRevision)
        return `Runs another configuration than this control plane's revision ${desiredRevision}, which is sent again${reported}.`;
      return `Runs revision ${observedRevision}, should run ${desiredRevision}${reported}.`;
    case "silent":
      return age === null
        ? "Silent; the data shown is that of its last report."
        : `Silent for ${age}; the data shown is that old.`;
    case "never-seen":
      return "Has never reported.";
    case "revoked":
      return "Its agent is revoked; enrol a new one to bring it back.";
    default:
      return node.state satisfies never;
  }
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
