import { type CreateOwnMachine, machineCostOf, type OwnMachine } from "@fairlead/domain/cost";
import { amountText, microsIn, numberIn } from "./draft-values.ts";

const amounts = ["purchaseMicros", "kwhMicros", "hostingMonthlyMicros", "staffHourlyMicros"] as const;
const numbers = [
  "cores",
  "networkMbps",
  "amortisedMonths",
  "powerWatts",
  "pue",
  "staffHoursPerMonth",
  "staffShare",
] as const;
const texts = ["name", "currency", "validFrom", "note"] as const;

export const machineFields = [...texts, ...amounts, ...numbers] as const;
export type MachineField = (typeof machineFields)[number];
/** As typed. */
export type MachineDraft = Record<MachineField, string>;

const empty: MachineDraft = {
  ...{ name: "", currency: "EUR", validFrom: "", note: "", cores: "", networkMbps: "" },
  ...{ purchaseMicros: "", amortisedMonths: "48", powerWatts: "", kwhMicros: "", pue: "1.5" },
  ...{ hostingMonthlyMicros: "", staffHoursPerMonth: "", staffHourlyMicros: "", staffShare: "1" },
};

export function machineDraft(machine: OwnMachine | null, today: string): MachineDraft {
  if (!machine) return { ...empty, validFrom: today };
  return Object.fromEntries(
    machineFields.map((field) => {
      const value = machine[field];
      return [field, isAmount(field) && typeof value === "number" ? amountText(value) : String(value)];
    }),
  ) as MachineDraft;
}

/** machineSpec returns the spec of a draft. The schema reports invalid values. */
export function machineSpec(draft: MachineDraft): Record<MachineField, string | number> {
  return Object.fromEntries(
    machineFields.map((field) => {
      const text = draft[field];
      if (isAmount(field)) return [field, microsIn(text)];
      return [field, isNumber(field) ? numberIn(text) : text.trim()];
    }),
  ) as Record<MachineField, string | number>;
}

/** costOfDraft is the monthly cost of a draft; null while a value is missing. */
export function costOfDraft(draft: MachineDraft): ReturnType<typeof machineCostOf> | null {
  // All values exist by now, but one may be NaN. Then there is no sum.
  const cost = machineCostOf(machineSpec(draft) as unknown as CreateOwnMachine);
  return Number.isFinite(cost.monthlyMicros) ? cost : null;
}

function isAmount(field: MachineField): boolean {
  return (amounts as readonly MachineField[]).includes(field);
}

function isNumber(field: MachineField): boolean {
  return (numbers as readonly MachineField[]).includes(field);
}
