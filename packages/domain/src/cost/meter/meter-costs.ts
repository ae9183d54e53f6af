import type { Provider } from "../prices/providers.ts";
import { type Charge, tiered } from "../traffic/charge.ts";
import type { Load } from "../traffic/load.ts";
import type { Billing, Together } from "./billing.ts";
import { type HourCharge, type HourCharges, hourChargesOf, type PricesThen } from "./hour-charges.ts";
import { monthOf } from "./hours.ts";
import { loadOfHour, type MeteredHour, whatIsUnknown } from "./metered-load.ts";

/** HourCost is whole micros. knownSeconds says for how much of its time all that it costs is known. */
export type HourCost = { hour: number; micros: number; existsSeconds: number; knownSeconds: number };

export type MeteredItem = { item: string; unit: string; quantity: number; micros: number };

export type PriceUsed = {
  provider: Provider;
  sku: string;
  region: string;
  asOf: string | null;
  source: string;
  confidence: string;
};

export type MeteredCost = { hours: HourCost[]; items: MeteredItem[]; prices: PriceUsed[]; reasons: string[] };

export type MeteredWith = {
  pricesAt: (hour: number) => PricesThen;
  /** Which balancers share a bill with this one in an hour, itself included; itself alone when absent. */
  togetherAt?: (hour: number) => Together;
  /** Only the hours from here on are told. Those before it, of the same month, still count for its tiers. */
  from?: number;
};

const hourSeconds = 3_600;

/**
 * meterCosts is usage times the price of its hour, for one load balancer, over hours in their order that begin with a
 * month. Tiers are those of a calendar month, and so is what is sold by the month: a whole one comes to its price. Each
 * amount is what the month's running sum rises by once it is rounded, so amounts add up exactly however hours are split.
 */
export function meterCosts(billing: Billing, hours: readonly MeteredHour[], using: MeteredWith): MeteredCost {
  const { from = Number.NEGATIVE_INFINITY } = using;
  if (billing.as === "unknown" || billing.as === "nothing") return withoutPrice(billing, hours, from);
  const bill = new Bill();
  const reasons = new Set<string>();
  const costs: HourCost[] = [];
  let month = { from: 0, to: Number.NEGATIVE_INFINITY };
  const linesAt = chargesByTime(billing, using);
  for (const used of hours) {
    if (used.existsSeconds === 0) continue;
    if (used.hour >= month.to) {
      month = monthOf(used.hour);
      bill.begin();
    }
    const ofMonth = month.to - month.from;
    const isTold = used.hour >= from;
    const lines = linesAt(used.hour);
    if ("reason" in lines) {
      if (!isTold) continue;
      reasons.add(lines.reason);
      costs.push({ hour: used.hour, micros: 0, existsSeconds: used.existsSeconds, knownSeconds: 0 });
      continue;
    }
    const load = lines.followsTraffic ? loadOfHour(used, billing.more.responseShare) : null;
    let micros = 0;
    let isKnown = true;
    for (const line of lines.charges) {
      const quantity = quantityOf(line, used, load, ofMonth);
      if (Number.isNaN(quantity)) isKnown = false;
      else if (quantity > 0) micros += bill.add(line, quantity, ofMonth, isTold);
    }
    if (!isTold) continue;
    for (const note of lines.notes) reasons.add(note);
    const measured = load ? Math.min(used.coveredSeconds, used.existsSeconds) : used.existsSeconds;
    const knownSeconds = isKnown ? measured : 0;
    if (!isKnown) reasons.add(whatIsUnknown(load, billing));
    costs.push({ hour: used.hour, micros, existsSeconds: used.existsSeconds, knownSeconds });
  }
  return { hours: costs, items: bill.items(), prices: bill.prices(), reasons: [...reasons] };
}

function withoutPrice(
  { as, reason }: Extract<Billing, { as: "unknown" | "nothing" }>,
  hours: readonly MeteredHour[],
  from: number,
): MeteredCost {
  const told = hours.filter(({ hour, existsSeconds }) => hour >= from && existsSeconds > 0);
  return {
    hours: told.map(({ hour, existsSeconds }) => ({
      hour,
      micros: 0,
      existsSeconds,
      knownSeconds: as === "nothing" ? existsSeconds : 0,
    })),
    items: [],
    prices: [],
    reasons: told.length > 0 ? [reason] : [],
  };
}

type Lines =
  | Extract<HourCharges, { reason: string }>
  | { charges: HourCharge[]; followsTraffic: boolean; notes: string[] };

/** chargesByTime makes the lines anew only when prices, or how many share a bill, are others than in the hour before. */
function chargesByTime(
  billing: Extract<Billing, { as: "bought" | "machines" }>,
  { pricesAt, togetherAt }: MeteredWith,
): (hour: number) => Lines {
  let last: { then: PricesThen; together: Together; lines: Lines } | null = null;
  return (hour) => {
    const then = pricesAt(hour);
    const together = togetherAt?.(hour) ?? billing.more.alone;
    if (last?.then === then && isSame(last.together, together)) return last.lines;
    const made = hourChargesOf(billing, then, together);
    const lines: Lines =
      "reason" in made
        ? made
        : {
            ...made,
            followsTraffic: made.charges.some(({ follows }) => follows === "traffic"),
            notes: made.charges.flatMap(({ charge }) => notesOf(charge, then.day)),
          };
    last = { then, together, lines };
    return lines;
  };
}

function isSame(one: Together, other: Together): boolean {
  return one.balancers === other.balancers && one.ports === other.ports && one.protocols === other.protocols;
}

function notesOf({ allowances, price: { sku, asOf, tiers } }: Charge, day: string): string[] {
  return [
    ...(asOf !== null && asOf > day
      ? [`No price of ${sku} is known from before ${asOf}, so that one counts for earlier hours too.`]
      : []),
    ...(!allowances && tiers.length > 1 && tiers[0]?.micros === 0
      ? [`What is free of ${sku} in a month is taken to be shared by the balancers of the cluster alone.`]
      : []),
  ];
}

/** quantityOf is what is paid for in an hour: by the hour for one that was begun, by traffic for what was measured. NaN is unknown. */
function quantityOf({ charge, follows, sharedBy }: HourCharge, used: MeteredHour, load: Load | null, ofMonth: number) {
  const { quantity, paidBy } = charge;
  const perMonth = paidBy === "month" ? 1 / ofMonth : 1;
  if (typeof quantity === "function")
    return load
      ? (quantity(load) / sharedBy) * (Math.min(used.coveredSeconds, hourSeconds) / hourSeconds) * perMonth
      : Number.NaN;
  switch (follows) {
    case "address":
      return used.addressSeconds > 0 ? (quantity / sharedBy) * perMonth : 0;
    case "machine":
      return quantity * (used.machineSeconds / hourSeconds) * perMonth;
    default:
      return (quantity / sharedBy) * perMonth;
  }
}

/** Line is one item of a month's bill: how much of it there was, and what that came to, exactly and as told. */
type Line = MeteredItem & { monthQuantity: number; monthMicros: number; monthRounded: number };

class Bill {
  readonly #lines = new Map<string, Line>();
  readonly #prices = new Map<Charge["price"], PriceUsed>();

  /** begin starts a month: tiers begin anew. */
  begin(): void {
    for (const line of this.#lines.values()) Object.assign(line, { monthQuantity: 0, monthMicros: 0, monthRounded: 0 });
  }

  /** add answers by how many whole micros the item's sum rises. */
  add({ charge, factor, pooledBy }: HourCharge, quantity: number, hoursOfMonth: number, isTold: boolean): number {
    const line = this.#line(charge);
    // As if all that share its tiers used as much as this one, of which it pays its part.
    const pooled = chargeOf(charge, line.monthQuantity * pooledBy, quantity * pooledBy, hoursOfMonth);
    line.monthMicros += (pooled / pooledBy) * factor;
    line.monthQuantity += quantity;
    const rounded = Math.round(line.monthMicros);
    const rise = rounded - line.monthRounded;
    line.monthRounded = rounded;
    if (!isTold) return 0;
    line.quantity += quantity;
    line.micros += rise;
    const { price } = charge;
    if (!this.#prices.has(price)) {
      const { provider, sku, region, asOf, source, confidence } = price;
      this.#prices.set(price, { provider, sku, region, asOf, source, confidence });
    }
    return rise;
  }

  items(): MeteredItem[] {
    return [...this.#lines.values()].flatMap(({ item, unit, quantity, micros }) =>
      quantity > 0 ? [{ item, unit, quantity, micros }] : [],
    );
  }

  prices(): PriceUsed[] {
    return [...this.#prices.values()];
  }

  #line({ item, price: { unit } }: Charge): Line {
    const found = this.#lines.get(item);
    if (found) return found;
    const line: Line = { item, unit, quantity: 0, micros: 0, monthQuantity: 0, monthMicros: 0, monthRounded: 0 };
    this.#lines.set(item, line);
    return line;
  }
}

/** chargeOf is what more of a quantity costs on top of what the month had already. */
function chargeOf({ price, monthlyCap }: Charge, before: number, quantity: number, hoursOfMonth: number): number {
  const micros = tiered(price.tiers, before + quantity) - tiered(price.tiers, before);
  const cap = monthlyCap?.tiers[0];
  return cap ? Math.min(micros, (cap.micros * quantity) / hoursOfMonth) : micros;
}
