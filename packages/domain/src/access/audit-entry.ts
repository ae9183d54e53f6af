import { z } from "zod";
import { subjectKind } from "../event/subject.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { direction, listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";

export const auditEntry = z
  .object({
    id: idOf("auditEntry"),
    at: z.date(),
    actorKind: z
      .enum(["user", "api-key", "agent", "system", "anonymous"])
      .describe("anonymous is a client whose sign-in was refused."),
    actorId: z.string(),
    actorName: z.string(),
    action: z.string().describe("noun.verb, such as exposure.create"),
    subjectKind,
    subjectId: z.string(),
    subjectName: z.string(),
    before: z.json().nullable(),
    after: z.json().nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;

const filters = {
  action: plainText(64).optional(),
  actorId: plainText(64).optional(),
  subjectKind: manyOf(subjectKind),
  subjectId: plainText(64).optional(),
  from: moment.optional(),
  to: moment.optional(),
};

export const listAuditEntries = listInput(["at"], filters, { sort: "at", direction: "desc" });
export type ListAuditEntries = z.infer<typeof listAuditEntries>;

export const auditFormats = ["csv", "ndjson"] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** All entries that match, as a file. */
export const exportAuditEntries = z.strictObject({
  format: z.enum(auditFormats).default("ndjson").describe("CSV, or one JSON object a line."),
  direction: direction.default("desc").describe("By time: newest or oldest first."),
  search: plainText(200).optional().describe("Text to find in the action, or in the name of actor or object."),
  ...filters,
});
export type ExportAuditEntries = z.infer<typeof exportAuditEntries>;
