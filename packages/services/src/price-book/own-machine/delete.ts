import type { ServiceContext } from "../../context.ts";
import { deleteEntry } from "../entries.ts";
import { ownMachineKind } from "./rows.ts";

/** deleteOwnMachine takes a machine out of the comparison, of the past as well. */
export function deleteOwnMachine(ctx: ServiceContext, id: string): Promise<void> {
  return deleteEntry(ctx, ownMachineKind, id, (tx) => tx.ownMachine.delete({ where: { id } }));
}
