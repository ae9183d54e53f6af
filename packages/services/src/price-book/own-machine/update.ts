import type { OwnMachine, UpdateOwnMachine } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { updateEntry } from "../entries.ts";
import { checkCosts, ownMachineKind } from "./rows.ts";

/** updateOwnMachine corrects the data of a machine, retroactively. */
export function updateOwnMachine(ctx: ServiceContext, id: string, input: UpdateOwnMachine): Promise<OwnMachine> {
  return updateEntry(ctx, ownMachineKind, id, input, async (tx, spec) => {
    checkCosts(spec);
    return tx.ownMachine.update({ where: { id }, data: { ...spec, updatedAt: ctx.now } });
  });
}
