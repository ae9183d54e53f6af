import type { SSOOptions } from "@better-auth/sso";
import { admitIdentity } from "@fairlead/services";
import type { AuthDb } from "./auth-db.ts";

type ResolveUser = NonNullable<SSOOptions["resolveUser"]>;

/** resolveUser passes a verified identity to the service and its result to better-auth, all in one transaction. */
export async function resolveUser(
  store: AuthDb,
  input: Parameters<ResolveUser>[0],
): Promise<Awaited<ReturnType<ResolveUser>>> {
  const arrival = store.arrival();
  if (!arrival) throw new Error("better-auth resolves a user outside of its transaction");
  const { email, emailVerified, name } = input.providerUser;
  const identity = { provider: input.providerId, subject: input.accountKey.accountId, email, emailVerified, name };
  const admission = await admitIdentity(arrival.tx, identity, new Date());
  if ("refusal" in admission) return { action: "reject", code: admission.refusal };
  arrival.organizationId = admission.organizationId;
  return { action: "link", userId: admission.userId, profile: "preserve" };
}
