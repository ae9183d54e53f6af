import type { Db } from "@fairlead/db";
import type { Actor } from "@fairlead/domain/access";

/**
 * What changed for an authenticated actor: nothing; another role or organisation, which they would get if they signed
 * in now; or they would be rejected.
 */
export type SessionNews = "none" | "changed" | "over";

/**
 * recheckSession checks an actor again who was authenticated a while ago: a live stream does so repeatedly. It does not
 * count against a key's limit.
 */
export async function recheckSession(db: Db, actor: Actor, organizationId: string, now: Date): Promise<SessionNews> {
  switch (actor.kind) {
    case "user":
      return recheckUser(db, actor, organizationId, now);
    case "api-key":
      return recheckKey(db, actor.id, now);
    case "agent":
    case "system":
      return "none";
    default:
      return actor satisfies never;
  }
}

async function recheckUser(
  db: Db,
  actor: Actor & { kind: "user" },
  organizationId: string,
  now: Date,
): Promise<SessionNews> {
  if (!actor.sessionId) return "over";
  const session = await db.session.findFirst({
    where: { id: actor.sessionId, userId: actor.id, expiresAt: { gt: now } },
    select: {
      activeOrganizationId: true,
      boundOrganizationId: true,
      user: {
        select: {
          members: {
            select: { organizationId: true, role: true },
            orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          },
        },
      },
    },
  });
  if (!session) return "over";
  const { members } = session.user;
  const chosen = session.boundOrganizationId ?? session.activeOrganizationId;
  const place = chosen ? members.find((each) => each.organizationId === chosen) : members[0];
  if (!place) return "over";
  return place.organizationId === organizationId && place.role === actor.role ? "none" : "changed";
}

async function recheckKey(db: Db, id: string, now: Date): Promise<SessionNews> {
  const key = await db.apiKey.findUnique({ where: { id }, select: { revokedAt: true, expiresAt: true } });
  if (!key || key.revokedAt) return "over";
  return !key.expiresAt || key.expiresAt > now ? "none" : "over";
}
