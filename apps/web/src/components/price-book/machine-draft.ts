import { type CreateOwnMachine, machineCostOf, type OwnMachine } from "@fairlead/domain";
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

/** machineWish is what a draft asks for; what was typed wrong is for the schema to say. */
export function machineWish(draft: MachineDraft): Record<MachineField, string | number> {
  return Object.fromEntries(
    machineFields.map((field) => {
      const text = draft[field];
      if (isAmount(field)) return [field, microsIn(text)];
      return [field, isNumber(field) ? numberIn(text) : text.trim()];
    }),
  ) as Record<MachineField, string | number>;
}

/** costOfDraft is what a month comes to as far as it was typed; null while a figure is missing. */
export function costOfDraft(draft: MachineDraft): ReturnType<typeof machineCostOf> | null {
  // Figures by now, or none that is one: then the sum is none either.
  const cost = machineCostOf(machineWish(draft) as unknown as CreateOwnMachine);
  return Number.isFinite(cost.monthlyMicros) ? cost : null;
}

function isAmount(field: MachineField): boolean {
  return (amounts as readonly MachineField[]).includes(field);
}

function isNumber(field: MachineField): boolean {
  return (numbers as readonly MachineField[]).includes(field);
}
