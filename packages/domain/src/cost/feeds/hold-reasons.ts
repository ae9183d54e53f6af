import { count } from "../../numbers.ts";
import { unitMicros } from "../prices/money.ts";
import type { PricePoint } from "../prices/price-point.ts";
import type { HoldReason } from "./price-refresh.ts";

/** PricedItem identifies a price, regardless of its tiers. */
export type PricedItem = Pick<PricePoint, "provider" | "region" | "sku" | "unit" | "currency">;

// The rules for prices that need a review. Feeds contain mistakes of their providers, and a wrong price misleads estimates.

/** The largest change from the known price, in either direction. */
export const mostMoved = 0.3;
/** The largest difference from the price in other regions. */
export const mostApart = 0.5;

/** Bounds of tiers within this factor count as the same: some providers include the free amount in them, some don't. */
const sameBound = 1.05;

type Comparison = {
  item: PricedItem;
  /** The current price, possibly of a wider region; empty if unknown. */
  before: readonly PricePoint[];
  /** The current price of this exact region. */
  own: readonly PricePoint[];
  after: readonly PricePoint[];
  /** The price in other regions. */
  others: readonly (readonly PricePoint[])[];
};

/** holdReasons returns why a price needs a review; empty if it may be accepted. */
export function holdReasons({ item, before, own, after, others }: Comparison): HoldReason[] {
  if (after.length === 0)
    return [{ kind: "missing", message: "The feed no longer lists it. Its last price stays in use." }];
  return [
    ...checkZero(item, before, after),
    ...checkMoved(item, before, after),
    ...checkOutlier(item, after, others),
    ...checkOlder(own, after),
  ];
}

function checkZero({ unit }: PricedItem, before: readonly PricePoint[], after: readonly PricePoint[]): HoldReason[] {
  const free = after.find((point) => {
    const known = priceAt(before, point.fromUnits);
    return point.micros === 0 && known !== 0;
  });
  if (!free) return [];
  const from = free.fromUnits > 0 ? ` from ${quantity(free.fromUnits, unit)} on` : "";
  return [{ kind: "zero", message: `The feed lists it as free${from}.` }];
}

function checkMoved(
  { unit, currency }: PricedItem,
  before: readonly PricePoint[],
  after: readonly PricePoint[],
): HoldReason[] {
  const moves = boundsOf(before, after).flatMap((at) => {
    const [from, to] = [priceAt(before, at), priceAt(after, at)];
    // A price that became free is reported by checkZero.
    return from === null || to === null || from === to || to === 0
      ? []
      : [{ at, from, to, by: Math.abs(to - from) / from }];
  });
  const [most] = moves.filter(({ by }) => by > mostMoved).sort((a, b) => b.by - a.by);
  if (!most) return [];
  const { at, from, to, by } = most;
  const amount = Number.isFinite(by) ? ` by ${percent(by)}` : " from nothing";
  const where = at > 0 ? ` beyond ${quantity(Math.floor(at / sameBound), unit)}` : "";
  return [
    {
      kind: "moved",
      message: `It ${to > from ? "rises" : "falls"}${amount}${where}, from ${money(from)} to ${money(to)} ${currency}; up to ${percent(mostMoved)} is accepted automatically.`,
    },
  ];
}

function checkOutlier(
  { currency }: PricedItem,
  after: readonly PricePoint[],
  others: Comparison["others"],
): HoldReason[] {
  if (others.length === 0) return [];
  const apart = boundsOf(after).flatMap((at) => {
    const elsewhere = others.flatMap((points) => priceAt(points, at) ?? []);
    const [here, middle] = [priceAt(after, at), median(elsewhere)];
    return here === null || middle === null || here === middle || here === 0
      ? []
      : [{ here, middle, by: Math.abs(here - middle) / middle }];
  });
  const [most] = apart.filter(({ by }) => by > mostApart).sort((a, b) => b.by - a.by);
  if (!most) return [];
  const by = Number.isFinite(most.by)
    ? `${percent(most.by)} ${most.here > most.middle ? "more" : "less"} than`
    : "more than";
  return [
    {
      kind: "differs",
      message: `At ${money(most.here)} ${currency} it is ${by} in other regions, where the median is ${money(most.middle)}; up to ${percent(mostApart)} is accepted automatically.`,
    },
  ];
}

function checkOlder(own: readonly PricePoint[], after: readonly PricePoint[]): HoldReason[] {
  const [known, listed] = [own[0]?.asOf ?? null, after[0]?.asOf ?? null];
  if (known === null || listed === null || listed >= known) return [];
  return [{ kind: "older", message: `The feed is dated ${listed}, and the known price ${known}.` }];
}

/** boundsOf returns the quantities to compare: zero, and slightly above each bound, so that similar bounds count as the same. */
function boundsOf(...lists: (readonly PricePoint[])[]): number[] {
  return [...new Set(lists.flat().map(({ fromUnits }) => fromUnits * sameBound))].sort((a, b) => a - b);
}

function priceAt(points: readonly PricePoint[], units: number): number | null {
  const tier = points.findLast(({ fromUnits }) => fromUnits <= units);
  return tier ? unitMicros(tier) : null;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function quantity(units: number, unit: PricedItem["unit"]): string {
  return `${count(units)} ${unit === "GB" || unit === "GiB" ? unit : "units"}`;
}

function percent(share: number): string {
  return `${count(Math.round(share * 100))} %`;
}

/** money formats micros as a decimal price, such as 0.0225. */
function money(micros: number): string {
  return String(Number((micros / 1e6).toPrecision(10)));
}
