import { Prisma, selectPage } from "@fairlead/db";
import { type AuditEntry, type ListAuditEntries, mostCounted, type Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";

const columns = [
  "id",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "action",
  "subjectKind",
  "subjectId",
  "subjectName",
  "before",
  "after",
] as const satisfies readonly (keyof AuditEntry)[];

export async function listAuditEntries(ctx: ServiceContext, input: ListAuditEntries): Promise<Page<AuditEntry>> {
  authorize(ctx, "audit:read");
  return selectPage<AuditEntry>(ctx.db, {
    from: "audit_entry_view",
    columns,
    sort: { column: input.sort, cast: "timestamptz" },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["action", "actorName", "subjectName"], input.search),
      equals("action", input.action),
      equals("actorId", input.actorId),
      isOneOf("subjectKind", input.subjectKind),
      equals("subjectId", input.subjectId),
      within("at", input.from, input.to),
    ],
    page: input,
    countAtMost: mostCounted,
  });
}
