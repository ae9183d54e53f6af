import type { Prisma, Tx } from "@fairlead/db";
import type { ServiceContext } from "../../context.ts";
import type { Author } from "../../control/record-audit-entry.ts";
import { recordSessionEnd, type SessionEndReason } from "./record-session.ts";
import { findSessionPlaces, type PlacedSession, type SessionPlace } from "./session-places.ts";

/**
 * endSessions deletes sessions, and writes an audit entry for each user and organisation that they belong to. Memberships are
 * read, so it comes before they are deleted.
 */
export async function endSessions(
  tx: Tx,
  ctx: Pick<ServiceContext, "actor" | "organizationId" | "now" | "clientAddress">,
  where: Prisma.SessionWhereInput,
  reason: Exclude<SessionEndReason, "sign-out" | "other-organization">,
): Promise<void> {
  const open = await tx.session.findMany({
    where: { AND: [where, { expiresAt: { gt: ctx.now } }] },
    select: { userId: true, boundOrganizationId: true },
  });
  await tx.session.deleteMany({ where });
  const alike = Map.groupBy(open, ({ userId, boundOrganizationId }) => `${userId} ${boundOrganizationId ?? ""}`);
  for (const sessions of alike.values()) {
    const [session] = sessions;
    if (session) await recordEnds(tx, ctx, session, { reason, count: sessions.length });
  }
}

async function recordEnds(
  tx: Tx,
  ctx: Pick<ServiceContext, "actor" | "organizationId" | "now" | "clientAddress">,
  session: PlacedSession,
  { reason, count }: { reason: SessionEndReason; count: number },
): Promise<void> {
  const address = ctx.clientAddress ?? null;
  for (const place of await findSessionPlaces(tx, session)) {
    if (place.organizationId === ctx.organizationId || session.userId === ctx.actor.id)
      await recordSessionEnd(tx, { ...ctx, organizationId: place.organizationId }, place, { reason, address, count });
    else
      await recordSessionEnd(tx, elsewhere(place, ctx.now), place, {
        reason: "other-organization",
        address: null,
        count,
      });
  }
}

/** Who removed a user here is not disclosed to their other organisations. */
function elsewhere({ organizationId }: SessionPlace, now: Date): Author {
  return { actor: { kind: "system", id: "fairlead", name: "Fairlead" }, organizationId, now };
}
