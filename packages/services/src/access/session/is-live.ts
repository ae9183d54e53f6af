import type { Db } from "@fairlead/db";
import type { Actor } from "@fairlead/domain";

/**
 * isSessionLive says whether an actor would still be let in, with the same role: what a live stream asks again and
 * again, because it was authenticated only once. It counts as no request of a key.
 */
export async function isSessionLive(db: Db, actor: Actor, organizationId: string, now: Date): Promise<boolean> {
  switch (actor.kind) {
    case "user":
      return isUserLive(db, actor, organizationId, now);
    case "api-key":
      return isKeyLive(db, actor.id, now);
    case "agent":
    case "system":
      return true;
    default:
      return actor satisfies never;
  }
}

async function isUserLive(
  db: Db,
  actor: Actor & { kind: "user" },
  organizationId: string,
  now: Date,
): Promise<boolean> {
  if (!actor.sessionId) return false;
  const session = await db.session.findFirst({
    where: {
      id: actor.sessionId,
      userId: actor.id,
      expiresAt: { gt: now },
      user: { members: { some: { organizationId, role: actor.role } } },
    },
    select: { id: true },
  });
  return session !== null;
}

async function isKeyLive(db: Db, id: string, now: Date): Promise<boolean> {
  const key = await db.apiKey.findUnique({ where: { id }, select: { revokedAt: true, expiresAt: true } });
  return key !== null && !key.revokedAt && (!key.expiresAt || key.expiresAt > now);
}
