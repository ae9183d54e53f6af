import { hoursOfMonth } from "../traffic/hours-of-month.ts";

/** The inputs of an own machine's cost, in millionths of its currency. */
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

/** MachineCost is the monthly cost of a machine. The parts may have fractions of a millionth; the sum is rounded once. */
export type MachineCost = { purchase: number; power: number; hosting: number; staff: number; monthlyMicros: number };

const wattsOfKilowatt = 1_000;

/** machineCostOf spreads the purchase over its months, and adds the running costs: power, hosting, staff. */
export function machineCostOf(outlay: MachineOutlay): MachineCost {
  const purchase = outlay.purchaseMicros / outlay.amortisedMonths;
  // A balancer's machine is always on, regardless of traffic.
  const power = (outlay.powerWatts / wattsOfKilowatt) * hoursOfMonth * outlay.pue * outlay.kwhMicros;
  const hosting = outlay.hostingMonthlyMicros;
  const staff = outlay.staffHoursPerMonth * outlay.staffHourlyMicros * outlay.staffShare;
  return { purchase, power, hosting, staff, monthlyMicros: Math.round(purchase + power + hosting + staff) };
}
