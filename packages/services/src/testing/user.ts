import { newId } from "@fairlead/domain";
import type { Role } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";

/** createTestUser creates a signed-in member of the organisation of ctx, and returns their context. */
export async function createTestUser(
  ctx: ServiceContext,
  role: Role,
  name = "Person",
): Promise<ServiceContext & { memberId: string; userId: string; sessionId: string }> {
  const { db, organizationId } = ctx;
  const userId = newId("user");
  const memberId = newId("member");
  const sessionId = `session-${userId}`;
  await db.user.create({ data: { id: userId, name, email: `${userId}@example.com`, emailVerified: true } });
  await db.member.create({ data: { id: memberId, organizationId, userId, role } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.session.create({
    data: { id: sessionId, token: sessionId, userId, expiresAt, activeOrganizationId: organizationId },
  });
  return { ...ctx, actor: { kind: "user", id: userId, name, role, sessionId }, memberId, userId, sessionId };
}
