import { inTransaction } from "@fairlead/db";
import { canonicalJson, type OwnMachine, type UpdateOwnMachine } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { withoutUndefined } from "../../control/without-undefined.ts";
import { alreadyThere, changeOf, checkCosts, type OwnMachineRow, ownMachineSource, toOwnMachine } from "./rows.ts";

/** updateOwnMachine corrects what was written down of a machine, as if it had always been so. */
export async function updateOwnMachine(ctx: ServiceContext, id: string, input: UpdateOwnMachine): Promise<OwnMachine> {
  authorize(ctx, "price-book:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "own_machine", ctx.organizationId, id);
    const load = async () =>
      toOwnMachine(await loadOne<OwnMachineRow>(tx, "machine", ownMachineSource, ctx.organizationId, id));
    const before = await load();
    const wish = { ...changeOf(before), ...withoutUndefined(input) };
    if (canonicalJson(wish) === canonicalJson(changeOf(before))) return before;
    checkCosts(wish);
    await onDuplicate(
      tx.ownMachine.update({ where: { id }, data: { ...wish, updatedAt: ctx.now } }),
      ["name"],
      alreadyThere(wish),
    );
    const after = await load();
    await recordChange(tx, ctx, {
      action: "own-machine.update",
      subjectKind: "own-machine",
      subjectId: id,
      subjectName: after.name,
      clusterId: null,
      before: changeOf(before),
      after: changeOf(after),
    });
    return after;
  });
}
