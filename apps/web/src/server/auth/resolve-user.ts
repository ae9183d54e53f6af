import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { SSOOptions } from "@better-auth/sso";
import type { Db } from "@fairlead/db";
import { admitIdentity } from "@fairlead/services";
import { clientAddressIn } from "../stamp-client-address.ts";
import type { AuthDb } from "./auth-db.ts";
import { countByProvider } from "./count-refused.ts";

type ResolveUser = NonNullable<SSOOptions["resolveUser"]>;

/** resolveUser passes a verified identity to the service and its result to better-auth, all in one transaction. */
export async function resolveUser(
  store: AuthDb,
  db: Db,
  input: Parameters<ResolveUser>[0],
): Promise<Awaited<ReturnType<ResolveUser>>> {
  const arrival = store.arrival();
  if (!arrival) throw new Error("better-auth resolves a user outside of its transaction");
  const { email, emailVerified, name } = input.providerUser;
  const identity = { provider: input.providerId, subject: input.accountKey.accountId, email, emailVerified, name };
  const admission = await admitIdentity(arrival.tx, identity, new Date());
  if ("refusal" in admission) {
    const headers = tryGetCurrentAuthEndpointContext()?.headers;
    const address = headers ? clientAddressIn(new Headers(headers)) : null;
    countByProvider(db, { provider: identity.provider, identity, address, reason: admission.refusal });
    return { action: "reject", code: admission.refusal };
  }
  arrival.organizationId = admission.organizationId;
  arrival.provider = admission.provider;
  return { action: "link", userId: admission.userId, profile: "preserve" };
}
