import { mostCounted, type Page } from "@fairlead/domain";
import type { AuditEntry, ListAuditEntries } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";
import { readAuditPage } from "./read-page.ts";

export async function listAuditEntries(ctx: ServiceContext, input: ListAuditEntries): Promise<Page<AuditEntry>> {
  return readAuditPage(ctx, input, input, mostCounted);
}
