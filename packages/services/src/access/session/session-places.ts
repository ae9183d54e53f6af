import type { Tx } from "@fairlead/db";

/** A session, as far as it decides which organisations it belongs to. */
export type PlacedSession = { userId: string; boundOrganizationId?: string | null | undefined };

/** A membership that a session gives access to. */
export type SessionPlace = { memberId: string; organizationId: string; userName: string };

/**
 * findSessionPlaces returns the organisations to whose audit a session belongs: that of the identity provider which it is bound
 * to, or all of its user.
 */
export async function findSessionPlaces(tx: Pick<Tx, "member">, session: PlacedSession): Promise<SessionPlace[]> {
  const { userId, boundOrganizationId } = session;
  const members = await tx.member.findMany({
    where: { userId, ...(boundOrganizationId ? { organizationId: boundOrganizationId } : {}) },
    select: { id: true, organizationId: true, user: { select: { name: true } } },
    orderBy: { createdAt: "asc" },
  });
  return members.map(({ id, organizationId, user }) => ({ memberId: id, organizationId, userName: user.name }));
}
