import { type Db, Prisma, selectPage } from "@fairlead/db";
import type { IdentityProvider, ListIdentityProviders, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains } from "../../control/filter.sql.ts";
import { identityProviderSource } from "./rows.ts";

const casts = { name: "text", createdAt: "timestamptz" } as const;

export async function listIdentityProviders(
  ctx: ServiceContext,
  input: ListIdentityProviders,
): Promise<Page<IdentityProvider>> {
  authorize(ctx, "identity-provider:read");
  return selectPage<IdentityProvider>(ctx.db, {
    ...identityProviderSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [Prisma.sql`"organizationId" = ${ctx.organizationId}`, contains(["name", "issuer"], input.search)],
    page: input,
  });
}

const maxOffered = 20;

/** listSignInProviders names the providers that the sign-in page offers, to anybody. */
export async function listSignInProviders(db: Db): Promise<string[]> {
  const rows = await db.ssoProvider.findMany({
    orderBy: { providerId: "asc" },
    take: maxOffered,
    select: { providerId: true },
  });
  return rows.map((row) => row.providerId);
}
