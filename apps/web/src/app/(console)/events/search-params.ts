import { prefixOrAddress } from "@fairlead/domain/address";
import { eventTopics, type ListEvents, severities, subjectKinds } from "@fairlead/domain/event";
import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { sinceStart, sinceWords } from "@/components/since/since.ts";
import { choices, inCluster, tableParams, toListInput } from "@/components/table/table-params.ts";

export const eventParams = {
  ...tableParams(["at"], { sort: "at", direction: "desc" }),
  cluster: parseAsString,
  severity: choices(severities),
  kind: choices(subjectKinds),
  /** A single object, by id. */
  subject: parseAsString,
  topic: parseAsStringLiteral(eventTopics),
  /** An address or a prefix. */
  mentions: parseAsString,
  since: parseAsStringLiteral(sinceWords),
};
export type EventParams = inferParserType<typeof eventParams>;

export const loadEventParams = createLoader(eventParams);

export function toEventInput(params: EventParams, now: number): Omit<ListEvents, "limit" | "offset" | "cursor"> {
  return {
    ...toListInput(params),
    ...inCluster(params.cluster),
    ...(params.severity ? { severity: params.severity } : {}),
    ...(params.kind ? { subjectKind: params.kind } : {}),
    ...(params.subject ? { subjectId: params.subject.slice(0, 64) } : {}),
    ...(params.topic ? { topic: params.topic } : {}),
    ...(params.mentions && prefixOrAddress.safeParse(params.mentions).success ? { mentions: params.mentions } : {}),
    ...(params.since ? { from: sinceStart(params.since, now) } : {}),
  };
}
