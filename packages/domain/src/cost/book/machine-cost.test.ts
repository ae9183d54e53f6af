import { expect, it } from "vitest";
import { machineCostOf } from "./machine-cost.ts";

const euro = 1_000_000;
const outlay = {
  purchaseMicros: 3_600 * euro,
  amortisedMonths: 48,
  powerWatts: 150,
  kwhMicros: 0.3 * euro,
  pue: 1.5,
  hostingMonthlyMicros: 60 * euro,
  staffHoursPerMonth: 4,
  staffHourlyMicros: 80 * euro,
  staffShare: 0.25,
};

it("adds up the share of the purchase, power, hosting and staff", () => {
  const { purchase, power, hosting, staff, monthlyMicros } = machineCostOf(outlay);
  expect(purchase).toBe(75 * euro);
  // 0.15 kW for 730 hours, 50 % more for cooling, at 30 cents.
  expect(power).toBeCloseTo(49.275 * euro, 3);
  expect(hosting).toBe(60 * euro);
  expect(staff).toBe(80 * euro);
  expect(monthlyMicros).toBe(264_275_000);
});

it("rounds the sum, not each part", () => {
  const thirds = { ...outlay, purchaseMicros: 100, amortisedMonths: 3, powerWatts: 0, hostingMonthlyMicros: 0 };
  const staff = { staffHoursPerMonth: 1, staffHourlyMicros: 1, staffShare: 0.4 };
  expect(machineCostOf({ ...thirds, ...staff }).monthlyMicros).toBe(34);
});

it.each(["purchaseMicros", "powerWatts", "kwhMicros", "pue", "hostingMonthlyMicros", "staffHoursPerMonth"] as const)(
  "costs more with more %s",
  (field) => {
    const more = machineCostOf({ ...outlay, [field]: outlay[field] * 2 });
    expect(more.monthlyMicros).toBeGreaterThan(machineCostOf(outlay).monthlyMicros);
  },
);

it("costs less per month the longer it is kept", () => {
  expect(machineCostOf({ ...outlay, amortisedMonths: 96 }).monthlyMicros).toBe(264_275_000 - 37.5 * euro);
});
