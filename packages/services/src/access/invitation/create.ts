import { inTransaction } from "@fairlead/db";
import { conflict, newId } from "@fairlead/domain";
import type { CreatedInvitation, CreateInvitation, Invitation } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { checkMayGrant } from "../check-may-grant.ts";
import { hashSecretToken, newSecretToken } from "../secret-token.ts";
import { invitationSource } from "./rows.ts";

const lastsMs = 7 * 24 * 3_600_000;

/** createInvitation creates a link for one email address. Only this answer ever holds the link. */
export async function createInvitation(ctx: ServiceContext, input: CreateInvitation): Promise<CreatedInvitation> {
  authorize(ctx, "member:write");
  checkMayGrant(ctx, input.role, ["role"]);
  const token = newSecretToken();
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = ctx;
    const member = await tx.member.findFirst({ where: { organizationId, user: { email: input.email } } });
    if (member) throw conflict(`${input.email} is a member already.`, ["email"]);
    // An expired one is replaced; a second open one is refused by the table.
    const expired = { organizationId, email: input.email, acceptedAt: null, expiresAt: { lte: ctx.now } };
    await tx.invitation.deleteMany({ where: expired });
    const id = newId("invitation", ctx.now);
    await onDuplicate(
      tx.invitation.create({
        data: {
          ...input,
          id,
          organizationId,
          tokenHash: hashSecretToken(token),
          createdBy: ctx.actor.id,
          createdAt: ctx.now,
          expiresAt: new Date(ctx.now.getTime() + lastsMs),
        },
      }),
      ["email"],
      `${input.email} has an open invitation; delete it first to get a new link.`,
    );
    await recordChange(tx, ctx, {
      action: "invitation.create",
      subjectKind: "invitation",
      subjectId: id,
      subjectName: input.email,
      clusterId: null,
      before: null,
      after: input,
    });
    const created = await loadOne<Invitation>(tx, "invitation", invitationSource, organizationId, id);
    return { ...created, path: `/invitations/${token}` };
  });
}
