import { DomainError, notFound } from "@fairlead/domain";
import type { Session, SwitchOrganization } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { checkBound } from "./check-bound.ts";
import { getSession } from "./get.ts";
import { resolveSession } from "./resolve.ts";

/** switchOrganization moves this session, and no other of the same user, to another of their organisations. */
export async function switchOrganization(ctx: ServiceContext, input: SwitchOrganization): Promise<Session> {
  const { actor, db } = ctx;
  if (actor.kind !== "user" || !actor.sessionId)
    throw new DomainError("forbidden", "Only a signed-in user can switch; a key belongs to one organisation.");
  const { organizationId } = input;
  const member = await db.member.findUnique({
    where: { organizationId_userId: { organizationId, userId: actor.id } },
  });
  if (!member) throw notFound("organisation of yours", organizationId);
  await checkBound(db, actor, organizationId);
  await db.session.updateMany({
    where: { id: actor.sessionId, userId: actor.id },
    data: { activeOrganizationId: organizationId },
  });
  const place = await resolveSession(db, { id: actor.sessionId, userId: actor.id, organizationId });
  return getSession({ ...ctx, ...place });
}
