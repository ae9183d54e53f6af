import { inTransaction } from "@fairlead/db";
import type { ApiKey } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { apiKeySource } from "./rows.ts";

/** revokeApiKey ends a key permanently; its next request is refused. Revoking it again changes nothing. */
export async function revokeApiKey(ctx: ServiceContext, id: string): Promise<ApiKey> {
  authorize(ctx, "key:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "api_key", ctx.organizationId, id);
    const before = await loadOne<ApiKey>(tx, "API key", apiKeySource, ctx.organizationId, id);
    if (before.revokedAt) return before;
    await tx.apiKey.update({ where: { id }, data: { revokedAt: ctx.now } });
    await recordChange(tx, ctx, {
      action: "api-key.revoke",
      subjectKind: "api-key",
      subjectId: id,
      subjectName: before.name,
      clusterId: null,
      before: { revokedAt: null },
      after: { revokedAt: ctx.now },
    });
    return { ...before, state: "revoked", revokedAt: ctx.now };
  });
}
