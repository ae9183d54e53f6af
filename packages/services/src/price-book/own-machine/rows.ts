import { viewSource } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { type CreateOwnMachine, machineCostOf, type OwnMachine, ownMachine } from "@fairlead/domain/cost";
import type { z } from "zod";
import { loadOne } from "../../control/load-one.ts";
import type { EntryKind } from "../entries.ts";

const ownMachineRow = ownMachine.omit({ monthlyMicros: true });

export type OwnMachineRow = z.infer<typeof ownMachineRow>;

export const ownMachineSource = viewSource("own_machine_view", ownMachineRow);

export function toOwnMachine(row: OwnMachineRow): OwnMachine {
  return { ...row, monthlyMicros: machineCostOf(row).monthlyMicros };
}

/** checkCosts refuses a machine that would look free. */
export function checkCosts(machine: CreateOwnMachine): void {
  const { monthlyMicros } = machineCostOf(machine);
  if (monthlyMicros === 0)
    throw invalid(
      ["purchaseMicros"],
      "With these values it costs nothing: enter its purchase price, or its running costs.",
    );
  if (!Number.isSafeInteger(monthlyMicros))
    throw invalid(["purchaseMicros"], "With these values the cost is too large to calculate.");
}

export const ownMachineKind: EntryKind<OwnMachine, CreateOwnMachine> = {
  table: "own_machine",
  subjectKind: "own-machine",
  load: async (tx, organizationId, id) =>
    toOwnMachine(await loadOne<OwnMachineRow>(tx, "machine", ownMachineSource, organizationId, id)),
  changeOf: ({ id: _, createdAt: __, updatedAt: ___, monthlyMicros: ____, ...fields }) => fields,
  nameOf: ({ name }) => name,
  twice: {
    field: "name",
    message: ({ name, validFrom }) =>
      `There is already a machine ${name} from ${validFrom} on: change that, or take another name or day.`,
  },
};
