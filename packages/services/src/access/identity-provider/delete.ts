import { inTransaction } from "@fairlead/db";
import type { IdentityProvider } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { endSessions } from "../session/end-sessions.ts";
import { identityProviderSource } from "./rows.ts";

/**
 * deleteIdentityProvider ends sign-in with a provider and the sessions of all its users. Their links to it are deleted
 * too: another issuer, set up later under the same name, must not inherit them.
 */
export async function deleteIdentityProvider(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "identity-provider:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "sso_provider", ctx.organizationId, id);
    const before = await loadOne<IdentityProvider>(
      tx,
      "identity provider",
      identityProviderSource,
      ctx.organizationId,
      id,
    );
    const { providerId } = await tx.ssoProvider.delete({ where: { id } });
    const accounts = { providerId };
    await endSessions(tx, ctx, { user: { accounts: { some: accounts } } }, "provider-removal");
    await tx.account.deleteMany({ where: accounts });
    const { name, issuer, clientId, domains, defaultRole } = before;
    await recordChange(tx, ctx, {
      action: "identity-provider.delete",
      subjectKind: "identity-provider",
      subjectId: id,
      subjectName: name,
      clusterId: null,
      before: { name, issuer, clientId, domains, defaultRole },
      after: null,
    });
  });
}
