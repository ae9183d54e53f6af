import { type CreateOwnMachine, invalid, machineCostOf, type OwnMachine } from "@fairlead/domain";

export type OwnMachineRow = Omit<OwnMachine, "monthlyMicros">;

export const ownMachineSource = {
  from: "own_machine_view",
  columns: [
    "id",
    "name",
    "cores",
    "networkMbps",
    "currency",
    "purchaseMicros",
    "amortisedMonths",
    "powerWatts",
    "kwhMicros",
    "pue",
    "hostingMonthlyMicros",
    "staffHoursPerMonth",
    "staffHourlyMicros",
    "staffShare",
    "validFrom",
    "note",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof OwnMachineRow)[],
};

export function toOwnMachine(row: OwnMachineRow): OwnMachine {
  return { ...row, monthlyMicros: machineCostOf(row).monthlyMicros };
}

/** changeOf is all that somebody wrote down of a machine. */
export function changeOf({ id: _, createdAt: __, updatedAt: ___, monthlyMicros: ____, ...fields }: OwnMachine) {
  return fields;
}

/** checkCosts refuses a machine that would look free. */
export function checkCosts(machine: CreateOwnMachine): void {
  const { monthlyMicros } = machineCostOf(machine);
  if (monthlyMicros === 0)
    throw invalid(["purchaseMicros"], "By these figures it costs nothing: give what it cost, or what runs it.");
  if (!Number.isSafeInteger(monthlyMicros))
    throw invalid(["purchaseMicros"], "By these figures it costs more than can be counted.");
}

export function alreadyThere({ name, validFrom }: Pick<OwnMachine, "name" | "validFrom">): string {
  return `There is already a machine ${name} from ${validFrom} on: change that, or take another name or day.`;
}
