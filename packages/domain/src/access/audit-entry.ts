import { z } from "zod";
import { subjectKind } from "../event/subject.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";

export const auditEntry = z
  .object({
    id: idOf("auditEntry"),
    at: z.date(),
    actorKind: z.enum(["user", "api-key", "agent", "system"]),
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

export const listAuditEntries = listInput(
  ["at"],
  {
    action: plainText(64).optional(),
    actorId: plainText(64).optional(),
    subjectKind: manyOf(subjectKind),
    subjectId: plainText(64).optional(),
    from: moment.optional(),
    to: moment.optional(),
  },
  { sort: "at", direction: "desc" },
);
export type ListAuditEntries = z.infer<typeof listAuditEntries>;
