import type { AuditEntry, ExportAuditEntries } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";
import { readAuditPage } from "./read-page.ts";

const pageRows = 200;

export type AuditPages = AsyncGenerator<AuditEntry[], void>;

/**
 * exportAuditEntries reads all entries that match, page by page, so that memory stays bounded for any number of them. Entries
 * that are added meanwhile are left out.
 */
export async function* exportAuditEntries(
  ctx: ServiceContext,
  { format: _, direction, ...filters }: ExportAuditEntries,
): AuditPages {
  const to = filters.to && filters.to < ctx.now ? filters.to : ctx.now;
  let cursor: string | undefined;
  do {
    const page = { limit: pageRows, sort: "at", direction, ...(cursor ? { cursor } : {}) };
    const { items, nextCursor } = await readAuditPage(ctx, page, { ...filters, to }, 0);
    yield items;
    cursor = nextCursor ?? undefined;
  } while (cursor);
}
