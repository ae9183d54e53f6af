import type { Db } from "@fairlead/db";
import { recordSessionStart } from "@fairlead/services";
import { APIError } from "better-auth/api";
import { clientAddressIn } from "../stamp-client-address.ts";
import type { AuthDb } from "./auth-db.ts";

type Started = { ipAddress: string | null; activeOrganizationId: string; boundOrganizationId: string | null };

export const notAMember = "NOT_A_MEMBER";

/**
 * startSession sets the client address and the organisation of a new session. The organisation is that of the identity
 * provider, which the session is bound to, or the one that the user joined first. A user without a membership gets no session.
 */
export async function startSession<Session extends { userId: string }>(
  store: AuthDb,
  db: Db,
  session: Session,
  headers: Headers | undefined,
): Promise<{ data: Session & Started }> {
  const arrival = store.arrival();
  const boundOrganizationId = arrival?.organizationId ?? null;
  const activeOrganizationId = boundOrganizationId ?? (await firstOrganization(arrival?.tx ?? db, session.userId));
  if (!activeOrganizationId)
    throw new APIError("FORBIDDEN", {
      code: notAMember,
      message: "You are not a member of any organisation. Ask an owner for an invitation.",
    });
  const ipAddress = headers ? clientAddressIn(headers) : null;
  // A sign-in with a provider is one transaction. Only here is it still open.
  if (arrival?.provider)
    await recordSessionStart(
      arrival.tx,
      { userId: session.userId, boundOrganizationId },
      { method: `provider ${arrival.provider}`, address: ipAddress, now: new Date() },
    );
  return { data: { ...session, ipAddress, activeOrganizationId, boundOrganizationId } };
}

type NewSession = { userId: string; boundOrganizationId?: unknown; ipAddress?: unknown };

/** auditPasswordSignIn records a sign-in with a password in the audit, once its session is stored. */
export async function auditPasswordSignIn(db: Db, session: NewSession): Promise<void> {
  const { userId, boundOrganizationId, ipAddress } = session;
  // startSession recorded it.
  if (typeof boundOrganizationId === "string") return;
  const address = typeof ipAddress === "string" ? ipAddress : null;
  await recordSessionStart(db, { userId }, { method: "password", address, now: new Date() });
}

async function firstOrganization(tx: Pick<Db, "member">, userId: string): Promise<string | null> {
  const member = await tx.member.findFirst({ where: { userId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return member?.organizationId ?? null;
}
