import { inTransaction } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import type { Member, UpdateMember } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { checkMayGrant } from "../check-may-grant.ts";
import { lastOwnerStays, lockOwners } from "./lock-owners.sql.ts";
import { memberSource } from "./rows.ts";

type Granted = Pick<Member, "role" | "denied">;

/** updateMember changes a member's role and denied permissions. They apply from the member's next request on. */
export async function updateMember(ctx: ServiceContext, id: string, input: UpdateMember): Promise<Member> {
  authorize(ctx, "member:write");
  return inTransaction(ctx.db, async (tx) => {
    const owners = await lockOwners(tx, ctx.organizationId);
    await lockRow(tx, "member", ctx.organizationId, id);
    const member = await loadOne<Member>(tx, "member", memberSource, ctx.organizationId, id);
    const before: Granted = { role: member.role, denied: member.denied };
    const after = merge(before, input);
    if (isSame(before, after)) return member;
    checkMayGrant(ctx, before.role);
    checkMayGrant(ctx, after.role, ["role"]);
    if (before.role === "owner" && after.role !== "owner" && owners === 1) throw lastOwnerStays(member.name);
    await tx.member.update({ where: { id }, data: { role: after.role, denied: after.denied } });
    await recordChange(tx, ctx, {
      action: "member.update",
      subjectKind: "member",
      subjectId: id,
      subjectName: member.name,
      clusterId: null,
      before,
      after,
    });
    return { ...member, ...after };
  });
}

/** An owner could give a denied permission back to themselves, so a denial would only seem to protect something. */
function merge(before: Granted, { role = before.role, denied }: UpdateMember): Granted {
  if (role !== "owner") return { role, denied: denied ?? before.denied };
  if (denied && denied.length > 0)
    throw invalid(["denied"], `An owner has all permissions. Change the role first, to take ${denied[0]} away.`);
  return { role, denied: [] };
}

function isSame(before: Granted, after: Granted): boolean {
  return before.role === after.role && [...before.denied].sort().join() === [...after.denied].sort().join();
}
