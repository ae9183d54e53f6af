import { inTransaction } from "@fairlead/db";
import { type CreateOwnMachine, newId, type OwnMachine } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { checkRoom } from "../check-room.sql.ts";
import { alreadyThere, changeOf, checkCosts, type OwnMachineRow, ownMachineSource, toOwnMachine } from "./rows.ts";

/** createOwnMachine has a size of machine that the organisation owns compete with what is sold. */
export async function createOwnMachine(ctx: ServiceContext, input: CreateOwnMachine): Promise<OwnMachine> {
  authorize(ctx, "price-book:write");
  checkCosts(input);
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await checkRoom(tx, ctx, "own_machine");
    const id = newId("ownMachine", now);
    await onDuplicate(
      tx.ownMachine.create({ data: { ...input, id, organizationId, createdAt: now, updatedAt: now } }),
      ["name"],
      alreadyThere(input),
    );
    const after = toOwnMachine(await loadOne<OwnMachineRow>(tx, "machine", ownMachineSource, organizationId, id));
    await recordChange(tx, ctx, {
      action: "own-machine.create",
      subjectKind: "own-machine",
      subjectId: id,
      subjectName: input.name,
      clusterId: null,
      before: null,
      after: changeOf(after),
    });
    return after;
  });
}
