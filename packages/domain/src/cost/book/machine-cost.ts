import { hoursOfMonth } from "../traffic/hours-of-month.ts";

/** What a machine of one's own takes, in millionths of its currency. */
export type MachineOutlay = {
  purchaseMicros: number;
  amortisedMonths: number;
  powerWatts: number;
  kwhMicros: number;
  pue: number;
  hostingMonthlyMicros: number;
  staffHoursPerMonth: number;
  staffHourlyMicros: number;
  staffShare: number;
};

/** MachineCost is what a month of a machine comes to. The parts may have fractions of a millionth; the sum is rounded once. */
export type MachineCost = { purchase: number; power: number; hosting: number; staff: number; monthlyMicros: number };

const wattsOfKilowatt = 1_000;

/** machineCostOf spreads what was paid once over its months, and adds what runs the machine: power, its place, people. */
export function machineCostOf(outlay: MachineOutlay): MachineCost {
  const purchase = outlay.purchaseMicros / outlay.amortisedMonths;
  // A machine of a balancer is always on, whatever it carries.
  const power = (outlay.powerWatts / wattsOfKilowatt) * hoursOfMonth * outlay.pue * outlay.kwhMicros;
  const hosting = outlay.hostingMonthlyMicros;
  const staff = outlay.staffHoursPerMonth * outlay.staffHourlyMicros * outlay.staffShare;
  return { purchase, power, hosting, staff, monthlyMicros: Math.round(purchase + power + hosting + staff) };
}
