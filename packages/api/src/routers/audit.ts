import { pageOf } from "@fairlead/domain";
import { auditEntry, listAuditEntries } from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { procedure, router } from "../trpc.ts";

export const auditRouter = router({
  list: procedure
    .meta({
      permission: "audit:read",
      rest: { method: "GET", path: "/audit-entries", summary: "List audit entries", tag: "Audit" },
    })
    .input(listAuditEntries)
    .output(pageOf(auditEntry))
    .query(({ ctx, input }) => services.listAuditEntries(ctx, input)),
});
