import type { Db } from "@fairlead/db";
import { APIError } from "better-auth/api";
import type { AuthDb } from "./auth-db.ts";

export const notAMember = "NOT_A_MEMBER";

/**
 * startSession puts a new session into an organisation: that of the provider somebody came by, which it is bound to, or
 * the one they joined first. Who is a member of none gets no session.
 */
export async function startSession<Session extends { userId: string }>(
  store: AuthDb,
  db: Db,
  session: Session,
): Promise<{ data: Session & { activeOrganizationId: string; boundOrganizationId: string | null } }> {
  const arrival = store.arrival();
  const boundOrganizationId = arrival?.organizationId ?? null;
  const activeOrganizationId = boundOrganizationId ?? (await firstOrganization(arrival?.tx ?? db, session.userId));
  if (!activeOrganizationId)
    throw new APIError("FORBIDDEN", {
      code: notAMember,
      message: "You are not a member of any organisation. Ask an owner for an invitation.",
    });
  return { data: { ...session, activeOrganizationId, boundOrganizationId } };
}

async function firstOrganization(tx: Pick<Db, "member">, userId: string): Promise<string | null> {
  const member = await tx.member.findFirst({ where: { userId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return member?.organizationId ?? null;
}
