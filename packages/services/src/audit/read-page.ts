import type { Page } from "@fairlead/domain";
import type { AuditEntry, ExportAuditEntries } from "@fairlead/domain/access";
import type { SubjectKind } from "@fairlead/domain/event";
import { hideInJson, unlessMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { auditEntrySource } from "./rows.ts";

type AuditFilters = Omit<ExportAuditEntries, "format" | "direction">;

/** readAuditPage returns one page of the matching entries, for the list and for the export. */
export async function readAuditPage(
  ctx: ServiceContext,
  page: Parameters<typeof listWithin>[2],
  filters: AuditFilters,
  countAtMost: number,
): Promise<Page<AuditEntry>> {
  const found = await listWithin<AuditEntry>(ctx, "audit:read", page, {
    ...auditEntrySource,
    sort: { cast: "timestamptz" },
    where: [
      contains(["action", "actorName", "subjectName"], filters.search),
      equals("action", filters.action),
      equals("actorId", filters.actorId),
      isOneOf("subjectKind", filters.subjectKind),
      equals("subjectId", filters.subjectId),
      within("at", filters.from, filters.to),
    ],
    countAtMost,
  });
  return { ...found, items: found.items.map(unlessMap(ctx, hideDetails)) };
}

const mapped: readonly SubjectKind[] = ["exposure", "load-balancer"];

/** Entries about pools and routing have addresses too, but none that belongs to an instance. */
function hideDetails(entry: AuditEntry): AuditEntry {
  if (!mapped.includes(entry.subjectKind)) return entry;
  return { ...entry, before: hideInJson(entry.before), after: hideInJson(entry.after) };
}
