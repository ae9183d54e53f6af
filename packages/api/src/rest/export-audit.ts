import { csvLine } from "@fairlead/domain";
import { type AuditEntry, type AuditFormat, auditEntry, exportAuditEntries } from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import type { ApiContext } from "../context.ts";
import { compileOperation } from "./operation.ts";
import { readFileInput } from "./read-file-input.ts";
import { streamFile } from "./stream-file.ts";

const auditMediaTypes: Record<AuditFormat, string> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};

/** The export is no procedure, because its answer is a stream, but it takes its input like one. */
export const auditExport = compileOperation(
  {
    id: "audit.export",
    type: "query",
    meta: { permission: "audit:read" },
    input: exportAuditEntries,
    output: auditEntry,
  },
  { method: "GET", path: "/audit-entries/export", summary: "Export audit entries", tag: "Audit" },
);

/** exportAudit answers with all entries that match. */
export async function exportAudit(ctx: ApiContext, request: Request, url: URL): Promise<Response> {
  const { actor, organizationId } = await ctx.identify();
  const service = { ...ctx, actor, organizationId };
  const input = readFileInput(auditExport, exportAuditEntries, url.searchParams);
  const { format } = input;
  return streamFile(service, request, {
    operation: auditExport,
    mediaType: auditMediaTypes[format],
    name: `audit-${organizationId}-${ctx.now.toISOString().slice(0, 10)}.${format}`,
    head: format === "csv" ? csvLine(columns.map(([name]) => name)) : "",
    parts: linesOf(services.exportAuditEntries(service, input), format),
  });
}

async function* linesOf(pages: services.AuditPages, format: AuditFormat): AsyncGenerator<string, void> {
  for await (const page of pages) yield page.map(lineOf[format]).join("");
}

const columns: [name: string, cell: (entry: AuditEntry) => string][] = [
  ["at", ({ at }) => at.toISOString()],
  ["id", ({ id }) => id],
  ["actor_kind", ({ actorKind }) => actorKind],
  ["actor_id", ({ actorId }) => actorId],
  ["actor_name", ({ actorName }) => actorName],
  ["action", ({ action }) => action],
  ["subject_kind", ({ subjectKind }) => subjectKind],
  ["subject_id", ({ subjectId }) => subjectId],
  ["subject_name", ({ subjectName }) => subjectName],
  ["before", ({ before }) => (before === null ? "" : JSON.stringify(before))],
  ["after", ({ after }) => (after === null ? "" : JSON.stringify(after))],
];

const lineOf: Record<AuditFormat, (entry: AuditEntry) => string> = {
  csv: (entry) => csvLine(columns.map(([, cell]) => cell(entry))),
  ndjson: (entry) => `${JSON.stringify(entry)}\n`,
};
