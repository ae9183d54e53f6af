import { DomainError } from "@fairlead/domain";
import { may, type OrganizationRef, permissions, role, type Session } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";

/** getSession returns the caller's identity and permissions here. It needs no permission. */
export async function getSession(ctx: ServiceContext): Promise<Session> {
  const { actor, organizationId, db } = ctx;
  if (actor.kind !== "user" && actor.kind !== "api-key")
    throw new DomainError("forbidden", `${actor.name} has no session.`);
  const own = permissions.filter((permission) => may(actor, permission));
  if (actor.kind === "api-key") {
    const { id, name } = await db.organization.findUniqueOrThrow({ where: { id: organizationId } });
    const organization = { id, name, role: actor.role };
    return { user: null, organization, permissions: own, organizations: [organization] };
  }
  const user = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: {
      id: true,
      name: true,
      email: true,
      sessions: { where: { id: actor.sessionId ?? "" }, select: { boundOrganizationId: true } },
      members: { orderBy: { createdAt: "asc" }, include: { organization: { select: { name: true } } } },
    },
  });
  const bound = user.sessions[0]?.boundOrganizationId;
  const organizations: OrganizationRef[] = user.members
    .filter((each) => !bound || each.organizationId === bound)
    .map((each) => ({ id: each.organizationId, name: each.organization.name, role: role.parse(each.role) }));
  const organization = organizations.find((each) => each.id === organizationId);
  if (!organization) throw new DomainError("unauthenticated", "You are not a member of this organisation any more.");
  const { id, name, email } = user;
  return { user: { id, name, email }, organization, permissions: own, organizations };
}
