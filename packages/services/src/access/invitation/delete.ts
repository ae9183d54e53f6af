import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import type { Invitation } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { invitationSource } from "./rows.ts";

/** deleteInvitation invalidates an unused link. */
export async function deleteInvitation(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "member:write");
  await inTransaction(ctx.db, async (tx) => {
    const before = await loadOne<Invitation>(tx, "invitation", invitationSource, ctx.organizationId, id);
    // The condition again, in the row: it may be accepted at this moment.
    const deleted = await tx.invitation.deleteMany({ where: { id, acceptedAt: null } });
    if (deleted.count === 0) throw conflict(`${before.email} has accepted this invitation; remove the member instead.`);
    await recordChange(tx, ctx, {
      action: "invitation.delete",
      subjectKind: "invitation",
      subjectId: id,
      subjectName: before.email,
      clusterId: null,
      before: { email: before.email, role: before.role },
      after: null,
    });
  });
}
