import type { ServiceContext } from "../../context.ts";
import { deleteEntry } from "../entries.ts";
import { ownMachineKind } from "./rows.ts";

/** deleteOwnMachine removes a machine from the comparison, also for the past. */
export function deleteOwnMachine(ctx: ServiceContext, id: string): Promise<void> {
  return deleteEntry(ctx, ownMachineKind, id, (tx) => tx.ownMachine.delete({ where: { id } }));
}
