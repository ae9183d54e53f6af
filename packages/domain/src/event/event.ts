import { z } from "zod";
import { prefixOrAddress } from "../address/address.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { eventTopics } from "./reasons.ts";
import { severities } from "./severities.ts";
import { subjectKind } from "./subject.ts";

export const severity = z.enum(severities).meta({ id: "Severity" });
export type Severity = z.infer<typeof severity>;

export const event = z
  .object({
    id: idOf("event"),
    at: z.date(),
    severity,
    reason: z.string().describe("One word for programs to match: AgentSilent, NoDriver, …"),
    message: z.string(),
    subjectKind,
    subjectId: z.string(),
    subjectName: z.string(),
    clusterId: idOf("cluster").nullable(),
  })
  .meta({ id: "Event" });
export type Event = z.infer<typeof event>;

export const listEvents = listInput(
  ["at"],
  {
    severity: manyOf(severity),
    reason: manyOf(z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,63}$/, "a reason is one word")),
    topic: z.enum(eventTopics).optional().describe("All reasons of this topic. Not together with reason."),
    mentions: prefixOrAddress.optional().describe("An address or prefix in the message."),
    subjectKind: manyOf(subjectKind),
    subjectId: plainText(64).optional().describe("For an exposure, events of its load balancers are included."),
    clusterId: idOf("cluster").optional(),
    from: moment.optional(),
    to: moment.optional(),
  },
  { sort: "at", direction: "desc" },
);
export type ListEvents = z.infer<typeof listEvents>;
