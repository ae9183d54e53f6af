import type { Permission } from "../access/access.ts";
import type { Attention } from "./attention.ts";
import { type AttentionKind, attentionKinds } from "./kinds.ts";

/** FoundProblem is a problem as a query finds it; its kind determines the rest. */
export type FoundProblem = Pick<Attention, "id" | "message" | "since" | "subjectId" | "subjectName"> & {
  kind: AttentionKind;
  clusterId: string | null;
  clusterName: string | null;
};

/** toAttention adds what the kind determines: severity, words, and the action if the caller may take it. */
export function toAttention(found: FoundProblem, may: (permission: Permission) => boolean): Attention {
  const { id, kind, message, since, subjectId, subjectName, clusterId, clusterName } = found;
  const { severity, word, subject, action } = attentionKinds[kind];
  return {
    ...{ id: `${kind}:${id}`, kind, severity, word, message, since },
    ...{ subjectKind: subject, subjectId, subjectName, clusterId, clusterName },
    action: may(action.permission) ? { label: action.label, path: action.path({ subjectId, clusterId }) } : null,
  };
}

const rank: Record<Attention["severity"], number> = { problem: 0, warning: 1 };

/** byUrgency sorts problems before warnings, and the newest first. */
export function byUrgency(a: Attention, b: Attention): number {
  return rank[a.severity] - rank[b.severity] || b.since.getTime() - a.since.getTime() || (a.id < b.id ? -1 : 1);
}
