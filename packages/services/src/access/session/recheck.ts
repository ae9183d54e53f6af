import type { Db } from "@fairlead/db";
import type { Actor } from "@fairlead/domain/access";
import { readDenied } from "../member/read-denied.ts";

/**
 * What changed for an authenticated actor: nothing; other permissions or another organisation, which they would get if they signed
 * in now; or they would be rejected.
 */
export type SessionNews = "none" | "changed" | "over";

/** Authenticated is an actor as they were authenticated a while ago. */
export type Authenticated = { actor: Actor; organizationId: string };

export async function recheckSession(db: Db, actor: Actor, organizationId: string, now: Date): Promise<SessionNews> {
  const [news = "none"] = await recheckSessions(db, [{ actor, organizationId }], now);
  return news;
}

/**
 * recheckSessions checks actors again who were authenticated a while ago, in two queries for any number of them: live
 * streams do so repeatedly. It does not count against a key's limit.
 */
export async function recheckSessions(db: Db, held: readonly Authenticated[], now: Date): Promise<SessionNews[]> {
  const sessions = await findSessions(db, held, now);
  const keys = await findKeys(db, held, now);
  return held.map(({ actor, organizationId }) => {
    switch (actor.kind) {
      case "user":
        return judgeUser(actor, organizationId, sessions.get(actor.sessionId ?? ""));
      case "api-key":
        return keys.has(actor.id) ? "none" : "over";
      case "agent":
      case "system":
        return "none";
      default:
        return actor satisfies never;
    }
  });
}

type Session = {
  userId: string;
  activeOrganizationId: string | null;
  boundOrganizationId: string | null;
  user: { members: { organizationId: string; role: string; denied: string[] }[] };
};

async function findSessions(db: Db, held: readonly Authenticated[], now: Date): Promise<Map<string, Session>> {
  const ids = held.flatMap(({ actor }) => (actor.kind === "user" && actor.sessionId ? [actor.sessionId] : []));
  if (ids.length === 0) return new Map();
  const found = await db.session.findMany({
    where: { id: { in: ids }, expiresAt: { gt: now } },
    select: {
      id: true,
      userId: true,
      activeOrganizationId: true,
      boundOrganizationId: true,
      user: {
        select: {
          members: {
            select: { organizationId: true, role: true, denied: true },
            orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          },
        },
      },
    },
  });
  return new Map(found.map((each) => [each.id, each]));
}

function judgeUser(actor: Actor & { kind: "user" }, organizationId: string, session: Session | undefined): SessionNews {
  if (session?.userId !== actor.id) return "over";
  const { members } = session.user;
  const chosen = session.boundOrganizationId ?? session.activeOrganizationId;
  const place = chosen ? members.find((each) => each.organizationId === chosen) : members[0];
  if (!place) return "over";
  const isSame = place.role === actor.role && hasSame(readDenied(place.denied), actor.denied ?? []);
  return place.organizationId === organizationId && isSame ? "none" : "changed";
}

function hasSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

async function findKeys(db: Db, held: readonly Authenticated[], now: Date): Promise<Set<string>> {
  const ids = held.flatMap(({ actor }) => (actor.kind === "api-key" ? [actor.id] : []));
  if (ids.length === 0) return new Set();
  const found = await db.apiKey.findMany({
    where: { id: { in: ids }, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { id: true },
  });
  return new Set(found.map((each) => each.id));
}
