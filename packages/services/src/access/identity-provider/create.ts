import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { type CreateIdentityProvider, type IdentityProvider, providerKey } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { checkMayGrant } from "../check-may-grant.ts";
import { identityProviderBox, type OidcConfig } from "./config.ts";
import { discoverIssuer } from "./discover.ts";
import { identityProviderSource } from "./rows.ts";

/**
 * createIdentityProvider lets users of some email domains sign in with an OpenID Connect issuer, once it has
 * responded.
 */
export async function createIdentityProvider(
  ctx: ServiceContext,
  input: CreateIdentityProvider,
): Promise<IdentityProvider> {
  authorize(ctx, "identity-provider:write");
  checkMayGrant(ctx, input.defaultRole, ["defaultRole"]);
  const { clientId, clientSecret, name, domains, defaultRole } = input;
  const discovered = await discoverIssuer(ctx, input.issuer);
  const config: OidcConfig = {
    ...discovered,
    clientId,
    clientSecret,
    scopes: ["openid", "email", "profile"],
    pkce: true,
  };
  const sealed = identityProviderBox(ctx.settings.secret).seal(JSON.stringify(config));
  return inTransaction(ctx.db, async (tx) => {
    const id = newId("identityProvider", ctx.now);
    await onDuplicate(
      tx.ssoProvider.create({
        data: {
          id,
          organizationId: ctx.organizationId,
          providerId: providerKey(ctx.organizationId, name),
          name,
          issuer: discovered.issuer,
          clientId,
          oidcConfig: sealed,
          domain: domains.join(","),
          defaultRole,
          createdAt: ctx.now,
        },
      }),
      ["name"],
      `There is already an identity provider named ${name}.`,
    );
    await recordChange(tx, ctx, {
      action: "identity-provider.create",
      subjectKind: "identity-provider",
      subjectId: id,
      subjectName: name,
      clusterId: null,
      before: null,
      after: { name, issuer: discovered.issuer, clientId, domains, defaultRole },
    });
    return loadOne<IdentityProvider>(tx, "identity provider", identityProviderSource, ctx.organizationId, id);
  });
}
