import { z } from "zod";
import { idOf } from "./id.ts";
import { moment } from "./moment.ts";
import { listInput, manyOf } from "./page.ts";
import { plainText } from "./plain-text.ts";

export const severities = ["info", "warning", "problem"] as const;
export const severity = z.enum(severities).meta({ id: "Severity" });
export type Severity = z.infer<typeof severity>;

/** The kinds of object that tasks, events and the live feed point at. */
export const subjectKinds = [
  "cluster",
  "node",
  "agent",
  "exposure",
  "load-balancer",
  "address-pool",
  "member",
  "invitation",
  "api-key",
  "identity-provider",
  "enrollment-token",
  "organization",
] as const;
export const subjectKind = z.enum(subjectKinds).meta({ id: "SubjectKind" });
export type SubjectKind = z.infer<typeof subjectKind>;

export const event = z
  .object({
    id: idOf("event"),
    at: z.date(),
    severity,
    reason: z.string().describe("One word that programs may match: AgentSilent, NoDriver, …"),
    message: z.string(),
    subjectKind,
    subjectId: z.string(),
    subjectName: z.string(),
    clusterId: idOf("cluster").nullable(),
  })
  .meta({ id: "Event" });
export type Event = z.infer<typeof event>;

const span = { from: moment.optional(), to: moment.optional() };

export const listEvents = listInput(
  ["at"],
  {
    severity: manyOf(severity),
    subjectKind: manyOf(subjectKind),
    subjectId: plainText(64).optional(),
    clusterId: idOf("cluster").optional(),
    ...span,
  },
  { sort: "at", direction: "desc" },
);
export type ListEvents = z.infer<typeof listEvents>;

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
    ...span,
  },
  { sort: "at", direction: "desc" },
);
export type ListAuditEntries = z.infer<typeof listAuditEntries>;

/** A pointer: this object changed, look again. What the live stream carries. */
export const feedEntry = z
  .object({ subjectKind, subjectId: z.string(), clusterId: z.string().nullable() })
  .meta({ id: "FeedEntry" });
export type FeedEntry = z.infer<typeof feedEntry>;
