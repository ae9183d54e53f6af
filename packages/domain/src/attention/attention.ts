import { z } from "zod";
import { severity } from "../event/event.ts";
import { subjectKind } from "../event/subject.ts";
import { idOf } from "../id.ts";
import { manyOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import { attentionKindNames } from "./kinds.ts";

/** How long a problem must last before it is listed: most heal by themselves within seconds. */
export const attentionAfterMs = 60_000;

export const attentionKind = z.enum(attentionKindNames).meta({ id: "AttentionKind" });

const attentionSeverity = severity.exclude(["info"]).describe("problem: no traffic, or soon none. warning: the rest.");

/** A problem that a user has to fix, with its object and the action that fixes it. */
export const attention = z
  .object({
    id: z.string().describe("Of this problem; the same as long as it lasts."),
    kind: attentionKind.describe("For programs to match."),
    severity: attentionSeverity,
    word: z.string().describe("The kind in a word or two."),
    message: z.string().describe("What is wrong, in one sentence."),
    since: z.date().describe("Since when it has been wrong, as far as known."),
    subjectKind,
    subjectId: z.string(),
    subjectName: z.string(),
    clusterId: idOf("cluster").nullable(),
    clusterName: z.string().nullable(),
    action: z
      .object({ label: z.string(), path: z.string().describe("The page of the dashboard where it is fixed.") })
      .nullable()
      .describe("What fixes it; null if the caller has no permission for it."),
  })
  .meta({ id: "Attention" });
export type Attention = z.infer<typeof attention>;

export const attentionCount = z
  .object({ kind: attentionKind, severity: attentionSeverity, count: z.int() })
  .meta({ id: "AttentionCount" });
export type AttentionCount = z.infer<typeof attentionCount>;

export const attentionList = z
  .object({
    at: volatile(z.date()),
    total: z.int().describe("Number of problems, also of those that are not listed."),
    counts: z.array(attentionCount).describe("Number of problems of each kind that has any, the most severe first."),
    items: z.array(attention).describe("By severity, the newest first; a limited number of each kind."),
  })
  .meta({ id: "AttentionList" });
export type AttentionList = z.infer<typeof attentionList>;

export const listAttention = z.strictObject({
  clusterId: idOf("cluster").optional().describe("Only problems of this cluster."),
  kind: manyOf(attentionKind).describe("Only problems of these kinds."),
  limit: z.int().min(1).max(100).default(20).describe("Maximum number of problems of each kind."),
});
export type ListAttention = z.infer<typeof listAttention>;
