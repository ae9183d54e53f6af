import { newId } from "@fairlead/domain";
import type { CreateOwnMachine, OwnMachine } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { createEntry } from "../entries.ts";
import { checkCosts, ownMachineKind } from "./rows.ts";

/** createOwnMachine adds a machine size that the organisation owns to the comparison. */
export function createOwnMachine(ctx: ServiceContext, input: CreateOwnMachine): Promise<OwnMachine> {
  const { organizationId, now } = ctx;
  return createEntry(ctx, ownMachineKind, input, async (tx) => {
    checkCosts(input);
    const own = { id: newId("ownMachine", now), organizationId, createdAt: now, updatedAt: now };
    return tx.ownMachine.create({ data: { ...input, ...own } });
  });
}
