import { inTransaction } from "@fairlead/db";
import type { Member, UpdateMember } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { checkMayGrant } from "../check-may-grant.ts";
import { lastOwnerStays, lockOwners } from "./lock-owners.sql.ts";
import { memberSource } from "./rows.ts";

/** updateMember changes a member's role. It applies from their next request on. */
export async function updateMember(ctx: ServiceContext, id: string, input: UpdateMember): Promise<Member> {
  authorize(ctx, "member:write");
  return inTransaction(ctx.db, async (tx) => {
    const owners = await lockOwners(tx, ctx.organizationId);
    await lockRow(tx, "member", ctx.organizationId, id);
    const before = await loadOne<Member>(tx, "member", memberSource, ctx.organizationId, id);
    if (before.role === input.role) return before;
    checkMayGrant(ctx, before.role);
    checkMayGrant(ctx, input.role, ["role"]);
    if (before.role === "owner" && owners === 1) throw lastOwnerStays(before.name);
    await tx.member.update({ where: { id }, data: { role: input.role } });
    await recordChange(tx, ctx, {
      action: "member.update",
      subjectKind: "member",
      subjectId: id,
      subjectName: before.name,
      clusterId: null,
      before: { role: before.role },
      after: { role: input.role },
    });
    return { ...before, role: input.role };
  });
}
