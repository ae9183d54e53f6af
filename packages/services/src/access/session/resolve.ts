import type { Db } from "@fairlead/db";
import { type Actor, DomainError, type OrganizationRef, role } from "@fairlead/domain";

export type ResolvedSession = {
  actor: Actor & { kind: "user" };
  organizationId: string;
  organizations: OrganizationRef[];
};

/**
 * resolveSession finds the place of a signed-in person: the organisation they chose, or the first they joined. One
 * they were removed from is refused, never replaced by another: a change must not land where nobody looked.
 */
export async function resolveSession(
  db: Db,
  session: { id: string; userId: string; activeOrganizationId: string | null },
): Promise<ResolvedSession> {
  const members = await db.member.findMany({
    where: { userId: session.userId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    include: { organization: { select: { name: true } }, user: { select: { name: true } } },
  });
  const chosen = session.activeOrganizationId
    ? members.find((each) => each.organizationId === session.activeOrganizationId)
    : members[0];
  if (!chosen)
    throw new DomainError("unauthenticated", "You are not a member of this organisation any more. Sign in again.");
  return {
    actor: {
      kind: "user",
      id: chosen.userId,
      name: chosen.user.name,
      role: role.parse(chosen.role),
      sessionId: session.id,
    },
    organizationId: chosen.organizationId,
    organizations: members.map((each) => ({
      id: each.organizationId,
      name: each.organization.name,
      role: role.parse(each.role),
    })),
  };
}
