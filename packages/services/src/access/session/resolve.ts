import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { type Actor, role } from "@fairlead/domain/access";
import { readDenied } from "../member/read-denied.ts";

export type ResolvedSession = { actor: Actor & { kind: "user" }; organizationId: string };

/**
 * resolveSession finds the organisation of a signed-in user: the one they chose, or the first they joined. If they were
 * removed from it they are refused, not moved to another: a change must not land in an unexpected organisation.
 */
export async function resolveSession(
  db: Db,
  session: { id: string; userId: string; organizationId: string | null },
): Promise<ResolvedSession> {
  const member = await db.member.findFirst({
    where: { userId: session.userId, ...(session.organizationId ? { organizationId: session.organizationId } : {}) },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    include: { user: { select: { name: true } } },
  });
  if (!member)
    throw new DomainError("unauthenticated", "You are not a member of this organisation any more. Sign in again.");
  const { userId, organizationId, user } = member;
  const granted = { role: role.parse(member.role), denied: readDenied(member.denied) };
  return {
    actor: { kind: "user", id: userId, name: user.name, ...granted, sessionId: session.id },
    organizationId,
  };
}
