import type { Page } from "@fairlead/domain";
import type { IdentityProvider, ListIdentityProviders } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { contains } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { identityProviderSource } from "./rows.ts";

const casts = { name: "text", createdAt: "timestamptz" } as const;

export async function listIdentityProviders(
  ctx: ServiceContext,
  input: ListIdentityProviders,
): Promise<Page<IdentityProvider>> {
  return listWithin<IdentityProvider>(ctx, "identity-provider:read", input, {
    ...identityProviderSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["name", "issuer"], input.search)],
  });
}
