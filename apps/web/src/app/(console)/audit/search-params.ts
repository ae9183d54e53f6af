import type { ListAuditEntries } from "@fairlead/domain/access";
import { subjectKinds } from "@fairlead/domain/event";
import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { sinceStart, sinceWords } from "@/components/since/since.ts";
import { choices, tableParams, toListInput } from "@/components/table/table-params.ts";

export const auditParams = {
  ...tableParams(["at"], { sort: "at", direction: "desc" }),
  kind: choices(subjectKinds),
  /** A single object, by id. */
  subject: parseAsString,
  since: parseAsStringLiteral(sinceWords),
};
export type AuditParams = inferParserType<typeof auditParams>;

export const loadAuditParams = createLoader(auditParams);

export function toAuditInput(params: AuditParams, now: number): Omit<ListAuditEntries, "limit" | "offset" | "cursor"> {
  return {
    ...toListInput(params),
    ...(params.kind ? { subjectKind: params.kind } : {}),
    ...(params.subject ? { subjectId: params.subject.slice(0, 64) } : {}),
    ...(params.since ? { from: sinceStart(params.since, now) } : {}),
  };
}
