import { inTransaction } from "@fairlead/db";
import type { Member } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { checkMayGrant } from "../check-may-grant.ts";
import { endSessions } from "../session/end-sessions.ts";
import { lastOwnerStays, lockOwners } from "./lock-owners.sql.ts";
import { memberSource } from "./rows.ts";

/**
 * removeMember ends a user's access: their sessions here are deleted. Keys they created belong to the organisation and
 * stay valid, because pipelines depend on them; activeKeyCount is the number to review.
 */
export async function removeMember(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "member:write");
  await inTransaction(ctx.db, async (tx) => {
    const owners = await lockOwners(tx, ctx.organizationId);
    await lockRow(tx, "member", ctx.organizationId, id);
    const before = await loadOne<Member>(tx, "member", memberSource, ctx.organizationId, id);
    checkMayGrant(ctx, before.role);
    if (before.role === "owner" && owners === 1) throw lastOwnerStays(before.name);
    const here = [{ activeOrganizationId: ctx.organizationId }, { activeOrganizationId: null }];
    await endSessions(tx, ctx, { userId: before.userId, OR: here }, "member-removal");
    await tx.member.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "member.remove",
      subjectKind: "member",
      subjectId: id,
      subjectName: before.name,
      clusterId: null,
      before: { email: before.email, role: before.role },
      after: null,
    });
  });
}
