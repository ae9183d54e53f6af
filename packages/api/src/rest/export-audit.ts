import { csvLine, DomainError } from "@fairlead/domain";
import {
  type AuditEntry,
  type AuditFormat,
  auditEntry,
  type ExportAuditEntries,
  exportAuditEntries,
} from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { ZodError } from "zod";
import type { ApiContext } from "../context.ts";
import { notingDenied } from "../note-denied.ts";
import { checkStorable } from "../storable.ts";
import { invalidInput } from "../translate-error.ts";
import { compileOperation } from "./operation.ts";
import { readQuery } from "./read-query.ts";
import { pickType } from "./rest-document.ts";

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

/** exportAudit answers with all entries that match, as a file that is written while it is read. */
export async function exportAudit(ctx: ApiContext, request: Request, url: URL): Promise<Response> {
  const identity = await ctx.identify();
  const input = readInput(url.searchParams);
  const type = auditMediaTypes[input.format];
  pickType(request.headers.get("accept"), [type.split(";")[0] ?? type]);
  const service = { ...ctx, ...identity };
  const pages = services.exportAuditEntries(service, input);
  // The first page is awaited, so that an export that can't begin is refused with a proper status.
  const first = await notingDenied(service, auditExport.id, () => pages.next());
  const headers = {
    "content-type": type,
    "content-disposition": `attachment; filename="audit-${identity.organizationId}-${ctx.now.toISOString().slice(0, 10)}.${input.format}"`,
    "cache-control": "no-store",
    "x-request-id": ctx.requestId,
  };
  if (request.method !== "HEAD") return new Response(toBody(ctx, service, pages, first, input.format), { headers });
  await pages.return();
  return new Response(null, { headers });
}

function readInput(params: URLSearchParams): ExportAuditEntries {
  const given = readQuery(auditExport, params);
  const parsed = exportAuditEntries.safeParse(given);
  if (!parsed.success) throw invalidInput(new ZodError(parsed.error.issues));
  checkStorable(parsed.data);
  return parsed.data;
}

type Next = IteratorResult<AuditEntry[], void>;

/** The next page is read only when the client has read the one before. A body that is cut off ends with an error. */
function toBody(
  ctx: ApiContext,
  identity: services.Authenticated,
  pages: services.AuditPages,
  first: Next,
  format: AuditFormat,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const watched = ctx.actors.watch(identity);
  let waiting: Next | undefined = first;
  const next = async (): Promise<Next> => {
    if (watched.signal.aborted)
      throw new DomainError("unauthenticated", "The session or key of this export has ended.");
    const page = waiting ?? (await pages.next());
    waiting = undefined;
    return page;
  };
  const end = async () => {
    watched.stop();
    await pages.return();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (format === "csv") controller.enqueue(encoder.encode(csvLine(columns.map(([name]) => name))));
    },
    async pull(controller) {
      try {
        const page = await next();
        if (!page.done && page.value.length > 0)
          controller.enqueue(encoder.encode(page.value.map(lineOf[format]).join("")));
        if (!page.done && page.value.length > 0) return;
        await end();
        controller.close();
      } catch (error) {
        await end();
        if (!(error instanceof DomainError))
          ctx.reportFault({ requestId: ctx.requestId, operation: auditExport.id, error });
        controller.error(error);
      }
    },
    cancel: end,
  });
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
