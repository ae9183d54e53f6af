import type { Tx } from "@fairlead/db";
import { DomainError, newId } from "@fairlead/domain";
import { type Role, role } from "@fairlead/domain/access";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { hashSecretToken } from "../secret-token.ts";

export type Offer = { organizationId: string; role: Role };

/** takeInvitation uses up an invitation, or refuses. One statement decides, so a link is valid exactly once. */
export async function takeInvitation(tx: Tx, token: string, now: Date): Promise<Offer & { email: string }> {
  const where = { tokenHash: hashSecretToken(token), acceptedAt: null, expiresAt: { gt: now } };
  const [taken] = await tx.invitation.updateManyAndReturn({ where, data: { acceptedAt: now } });
  if (!taken) throw notOpen();
  return { organizationId: taken.organizationId, email: taken.email, role: role.parse(taken.role) };
}

/** notOpen is the refusal of a link that is used, expired or unknown. */
export function notOpen(): DomainError {
  return new DomainError("not-found", "This invitation is used, expired or deleted. Ask an owner for a new one.");
}

/** joinOrganization makes a user a member, in their own name and with the role they were offered. */
export async function joinOrganization(
  tx: Tx,
  offer: Offer,
  user: { id: string; name: string; email: string },
  now: Date,
): Promise<void> {
  const id = newId("member", now);
  const { organizationId } = offer;
  const data = { id, organizationId, userId: user.id, role: offer.role, createdAt: now };
  await onDuplicate(tx.member.create({ data }), [], `${user.email} is a member already.`);
  const actor = { kind: "user" as const, id: user.id, name: user.name, role: offer.role };
  await recordChange(
    tx,
    { actor, organizationId, now },
    {
      action: "member.join",
      subjectKind: "member",
      subjectId: id,
      subjectName: user.name,
      clusterId: null,
      before: null,
      after: { email: user.email, role: offer.role },
    },
  );
}
