import type { Db } from "@fairlead/db";
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

const maxOffered = 20;

/** A provider on the public sign-in page. Its organisation is named only if another one has a provider of this name. */
export type SignInProvider = { key: string; name: string; organization: string | null };

/** listSignInProviders lists the providers of all organisations, for the public sign-in page. */
export async function listSignInProviders(db: Db): Promise<SignInProvider[]> {
  const rows = await db.ssoProvider.findMany({
    orderBy: [{ name: "asc" }, { providerId: "asc" }],
    take: maxOffered,
    select: { providerId: true, name: true, organizationId: true },
  });
  const byName = Map.groupBy(rows, ({ name }) => name);
  const isShared = (name: string) => (byName.get(name)?.length ?? 0) > 1;
  const ids = rows.flatMap(({ name, organizationId }) => (isShared(name) && organizationId ? [organizationId] : []));
  const organizations = await db.organization.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  const nameOf = new Map(organizations.map(({ id, name }) => [id, name]));
  return rows.map(({ providerId, name, organizationId }) => ({
    key: providerId,
    name,
    organization: (isShared(name) && nameOf.get(organizationId ?? "")) || null,
  }));
}
