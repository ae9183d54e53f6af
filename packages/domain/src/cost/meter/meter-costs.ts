import type { Provider } from "../prices/providers.ts";
import { type Charge, tiered } from "../traffic/charge.ts";
import type { Load } from "../traffic/load.ts";
import type { Billing, Together } from "./billing.ts";
import { type HourCharge, type HourCharges, hourChargesOf, type PricesThen } from "./hour-charges.ts";
import { monthOf } from "./hours.ts";
import { describeUnknown, loadOfHour, type MeteredHour } from "./metered-load.ts";

/** HourCost is the cost in an hour, in whole micros. knownSeconds is the part of existsSeconds with a complete cost. */
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
  /** The balancers that share a bill with this one in an hour, including itself. Default: only itself. */
  togetherAt?: (hour: number) => Together;
  /** The first hour in the result. Earlier hours of the same month still count for its tiers. */
  from?: number;
  /** Called for each charge of each hour in the result, with its part of the month's sum in whole micros. */
  onCharge?: (charge: ChargedHour) => void;
};

/** ChargedHour is one line of the bill in an hour. */
export type ChargedHour = { hour: number; line: HourCharge; quantity: number; micros: number };

const hourSeconds = 3_600;

/**
 * meterCosts multiplies usage by the price of its hour, for one load balancer. Hours must be sorted and start with a month.
 * Tiers and monthly prices are per calendar month: a whole month costs exactly the monthly price. Each amount is the increase
 * of the month's rounded running sum, so amounts add up exactly for any split of hours.
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
    const isIncluded = used.hour >= from;
    const lines = linesAt(used.hour);
    if ("reason" in lines) {
      if (!isIncluded) continue;
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
      if (!(quantity > 0)) continue;
      const rise = bill.add(line, quantity, ofMonth, isIncluded);
      micros += rise;
      if (isIncluded) using.onCharge?.({ hour: used.hour, line, quantity, micros: rise });
    }
    if (!isIncluded) continue;
    for (const note of lines.notes) reasons.add(note);
    const measured = load ? Math.min(used.coveredSeconds, used.existsSeconds) : used.existsSeconds;
    const knownSeconds = isKnown ? measured : 0;
    if (!isKnown) reasons.add(describeUnknown(load, billing));
    costs.push({ hour: used.hour, micros, existsSeconds: used.existsSeconds, knownSeconds });
  }
  return { hours: costs, items: bill.items(), prices: bill.prices(), reasons: [...reasons] };
}

function withoutPrice(
  { as, reason }: Extract<Billing, { as: "unknown" | "nothing" }>,
  hours: readonly MeteredHour[],
  from: number,
): MeteredCost {
  const included = hours.filter(({ hour, existsSeconds }) => hour >= from && existsSeconds > 0);
  return {
    hours: included.map(({ hour, existsSeconds }) => ({
      hour,
      micros: 0,
      existsSeconds,
      knownSeconds: as === "nothing" ? existsSeconds : 0,
    })),
    items: [],
    prices: [],
    reasons: included.length > 0 ? [reason] : [],
  };
}

type Lines =
  | Extract<HourCharges, { reason: string }>
  | { charges: HourCharge[]; followsTraffic: boolean; notes: string[] };

/** chargesByTime caches the lines until the prices, or the balancers that share a bill, change. */
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
      ? [`No price of ${sku} before ${asOf} is known, so this one is used for earlier hours too.`]
      : []),
    ...(!allowances && tiers.length > 1 && tiers[0]?.micros === 0
      ? [`The free monthly amount of ${sku} is assumed to be shared by the balancers of this cluster only.`]
      : []),
  ];
}

/** quantityOf is the billed quantity in an hour: a started hour counts in full, and traffic as measured. NaN is unknown. */
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

/** Line is one item of a month's bill: its quantity, its exact amount, and its rounded amount. */
type Line = MeteredItem & { monthQuantity: number; monthMicros: number; monthRounded: number };

class Bill {
  readonly #lines = new Map<string, Line>();
  readonly #prices = new Map<Charge["price"], PriceUsed>();

  /** begin starts a month, and so resets tiers. */
  begin(): void {
    for (const line of this.#lines.values()) Object.assign(line, { monthQuantity: 0, monthMicros: 0, monthRounded: 0 });
  }

  /** add returns the increase of the item's sum, in whole micros. */
  add({ charge, factor, pooledBy }: HourCharge, quantity: number, hoursOfMonth: number, isIncluded: boolean): number {
    const line = this.#line(charge);
    // Assumes that all balancers that share the tiers use as much as this one, which pays its part.
    const pooled = chargeOf(charge, line.monthQuantity * pooledBy, quantity * pooledBy, hoursOfMonth);
    line.monthMicros += (pooled / pooledBy) * factor;
    line.monthQuantity += quantity;
    const rounded = Math.round(line.monthMicros);
    const rise = rounded - line.monthRounded;
    line.monthRounded = rounded;
    if (!isIncluded) return 0;
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

/** chargeOf is the cost of an additional quantity in a month. */
function chargeOf({ price, monthlyCap }: Charge, before: number, quantity: number, hoursOfMonth: number): number {
  const micros = tiered(price.tiers, before + quantity) - tiered(price.tiers, before);
  const cap = monthlyCap?.tiers[0];
  return cap ? Math.min(micros, (cap.micros * quantity) / hoursOfMonth) : micros;
}
