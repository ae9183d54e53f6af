import type { Price, Tier } from "../prices/catalogue.ts";
import type { Shape } from "./day.ts";
import { hoursOfMonth } from "./hours-of-month.ts";
import type { Load } from "./load.ts";

/**
 * How a quantity is billed. A started hour counts in full; a monthly price is billed by the hours of use, up to the whole
 * price; a volume is the actual traffic.
 */
export type PaidBy = "hour" | "month" | "volume";

/** Charge is one line of a bill. */
export type Charge = {
  item: string;
  price: Price;
  paidBy: PaidBy;
  /** The quantity per hour of all balancers together: by the load of each balancer, or fixed. */
  quantity: number | ((each: Load) => number);
  /** What the quantity depends on, in a word or two. */
  follows: (each: Load) => string;
  /** The number of monthly allowances, such as servers with included traffic. */
  allowances?: number;
  /** The monthly maximum for each unit billed per hour, if the provider has one. */
  monthlyCap?: Price;
};

/** Month is the monthly cost of a charge, not rounded, in the currency of its price. */
export type Month = { quantity: number; micros: number };

export function billedHours(hoursPerMonth: number): number {
  return Math.ceil(hoursPerMonth);
}

export function chargeMonth(charge: Charge, shape: Shape, hoursPerMonth: number): Month {
  const quantity = meanOf(charge.quantity, shape) * hoursPaid(charge.paidBy, hoursPerMonth);
  const shares = charge.allowances ?? 1;
  const micros = shares * tiered(charge.price.tiers, quantity / shares);
  const cap = charge.monthlyCap?.tiers[0];
  return { quantity, micros: cap ? Math.min(micros, (cap.micros * quantity) / billedHours(hoursPerMonth)) : micros };
}

function meanOf(quantity: Charge["quantity"], shape: Shape): number {
  if (typeof quantity === "number") return quantity;
  let mean = 0;
  for (const { weight, load } of shape) mean += weight * quantity(load);
  return mean;
}

function hoursPaid(paidBy: PaidBy, hoursPerMonth: number): number {
  switch (paidBy) {
    case "hour":
      return billedHours(hoursPerMonth);
    case "month":
      return Math.min(1, billedHours(hoursPerMonth) / hoursOfMonth);
    case "volume":
      return hoursPerMonth;
    default:
      return paidBy satisfies never;
  }
}

/** tiered charges each part of a quantity at the price of its tier. */
export function tiered(tiers: readonly Tier[], quantity: number): number {
  let micros = 0;
  for (let i = 0; i < tiers.length; i++) {
    const tier = tiers[i];
    if (!tier || quantity <= tier.fromUnits) break;
    const end = tiers[i + 1]?.fromUnits ?? Number.POSITIVE_INFINITY;
    micros += (Math.min(quantity, end) - tier.fromUnits) * tier.micros;
  }
  return micros;
}
