import { inTransaction, type Tx } from "@fairlead/db";
import { conflict, DomainError } from "@fairlead/domain";
import type { AcceptInvitation, OrganizationRef } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { checkBound } from "../session/check-bound.ts";
import { joinOrganization, type Offer, takeInvitation } from "./join.ts";

/** acceptInvitation adds a signed-in user to another organisation. Their address must be the invited one. */
export async function acceptInvitation(ctx: ServiceContext, input: AcceptInvitation): Promise<OrganizationRef> {
  const { actor, now } = ctx;
  if (actor.kind !== "user") throw new DomainError("forbidden", "Only a signed-in user can join.");
  return inTransaction(ctx.db, async (tx) => {
    const { email, ...offer } = await takeInvitation(tx, input.token, now);
    const user = await tx.user.findUniqueOrThrow({ where: { id: actor.id } });
    if (user.email !== email)
      throw conflict(`This invitation is for ${email}, and you are ${user.email}: sign in with that address.`);
    // Thrown inside the transaction, like all refusals here: the link stays valid for an allowed sign-in.
    await checkBound(tx, actor, offer.organizationId);
    await joinOrganization(tx, offer, user, now);
    return toRef(tx, offer);
  });
}

async function toRef(tx: Tx, offer: Offer): Promise<OrganizationRef> {
  const { id, name } = await tx.organization.findUniqueOrThrow({ where: { id: offer.organizationId } });
  return { id, name, role: offer.role };
}
