import type { AuditFormat, ExportAuditEntries } from "@fairlead/domain/access";

type Shown = Pick<ExportAuditEntries, "direction" | "search" | "subjectKind" | "subjectId" | "from">;

/** exportUrl is where the entries that a page shows are downloaded. */
export function exportUrl(shown: Shown, format: AuditFormat): string {
  const { direction, search, subjectKind, subjectId, from } = shown;
  const query = new URLSearchParams({ format, direction });
  if (search) query.set("search", search);
  for (const kind of subjectKind ?? []) query.append("subjectKind", kind);
  if (subjectId) query.set("subjectId", subjectId);
  if (from) query.set("from", from.toISOString());
  return `/api/v1/audit-entries/export?${query}`;
}
