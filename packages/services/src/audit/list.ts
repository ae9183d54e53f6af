import { mostCounted, type Page } from "@fairlead/domain";
import type { AuditEntry, ListAuditEntries } from "@fairlead/domain/access";
import type { SubjectKind } from "@fairlead/domain/event";
import { hideInJson, unlessMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { auditEntrySource } from "./rows.ts";

export async function listAuditEntries(ctx: ServiceContext, input: ListAuditEntries): Promise<Page<AuditEntry>> {
  const page = await listWithin<AuditEntry>(ctx, "audit:read", input, {
    ...auditEntrySource,
    sort: { cast: "timestamptz" },
    where: [
      contains(["action", "actorName", "subjectName"], input.search),
      equals("action", input.action),
      equals("actorId", input.actorId),
      isOneOf("subjectKind", input.subjectKind),
      equals("subjectId", input.subjectId),
      within("at", input.from, input.to),
    ],
    countAtMost: mostCounted,
  });
  return { ...page, items: page.items.map(unlessMap(ctx, hideDetails)) };
}

const mapped: readonly SubjectKind[] = ["exposure", "load-balancer"];

/** Entries about pools and routing have addresses too, but none that belongs to an instance. */
function hideDetails(entry: AuditEntry): AuditEntry {
  if (!mapped.includes(entry.subjectKind)) return entry;
  return { ...entry, before: hideInJson(entry.before), after: hideInJson(entry.after) };
}
