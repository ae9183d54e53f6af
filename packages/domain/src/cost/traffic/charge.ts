import type { Price, Tier } from "../prices/catalogue.ts";
import type { Shape } from "./day.ts";
import { hoursOfMonth } from "./hours-of-month.ts";
import type { Load } from "./load.ts";

/**
 * What a quantity is paid by. An hour that was begun is a whole one; a month's price is paid by the hours it was used,
 * up to the whole; a volume is what really flows.
 */
export type PaidBy = "hour" | "month" | "volume";

/** Charge is one line of a bill. */
export type Charge = {
  item: string;
  price: Price;
  paidBy: PaidBy;
  /** In an hour, of all balancers together: as each balancer's load has it, or always the same. */
  quantity: number | ((each: Load) => number);
  /** What the quantity follows, in a word or two. */
  follows: (each: Load) => string;
  /** How many have a month's allowance of their own, such as servers with included traffic. */
  allowances?: number;
  /** What a month costs at most for each of what is paid by the hour, where its provider says so. */
  monthlyCap?: Price;
};

/** Month is what a charge comes to: not rounded yet, in the currency of its price. */
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

/** tiered charges each part of a quantity at the price of the tier it lies in. */
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
