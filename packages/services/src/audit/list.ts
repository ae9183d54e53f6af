import type { Prisma } from "@fairlead/db";
import { mostCounted, type Page } from "@fairlead/domain";
import type { AuditEntry, ExportAuditEntries, ListAuditEntries } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { auditEntrySource } from "./rows.ts";

export async function listAuditEntries(ctx: ServiceContext, input: ListAuditEntries): Promise<Page<AuditEntry>> {
  return listWithin<AuditEntry>(ctx, "audit:read", input, {
    ...auditEntrySource,
    sort: { cast: "timestamptz" },
    where: auditFilters(input),
    countAtMost: mostCounted,
  });
}

/** auditFilters are the conditions of the list and of the export. */
export function auditFilters(input: Omit<ExportAuditEntries, "format" | "direction">): Prisma.Sql[] {
  return [
    contains(["action", "actorName", "subjectName"], input.search),
    equals("action", input.action),
    equals("actorId", input.actorId),
    isOneOf("subjectKind", input.subjectKind),
    equals("subjectId", input.subjectId),
    within("at", input.from, input.to),
  ];
}
