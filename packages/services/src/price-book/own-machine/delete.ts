import { inTransaction } from "@fairlead/db";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { changeOf, type OwnMachineRow, ownMachineSource, toOwnMachine } from "./rows.ts";

/** deleteOwnMachine takes a machine out of the comparison, of the past as well. */
export async function deleteOwnMachine(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "price-book:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "own_machine", ctx.organizationId, id);
    const row = await loadOne<OwnMachineRow>(tx, "machine", ownMachineSource, ctx.organizationId, id);
    await tx.ownMachine.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "own-machine.delete",
      subjectKind: "own-machine",
      subjectId: id,
      subjectName: row.name,
      clusterId: null,
      before: changeOf(toOwnMachine(row)),
      after: null,
    });
  });
}
