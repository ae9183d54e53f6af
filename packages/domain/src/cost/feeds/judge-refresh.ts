import type { PricePoint } from "../prices/price-point.ts";
import type { Provider } from "../prices/providers.ts";
import { widen } from "../prices/regions.ts";
import { holdReasons, type PricedItem } from "./hold-reasons.ts";
import type { HoldReason } from "./price-refresh.ts";

/** FeedRead is the result of reading a feed, with the requested regions and SKUs: missing ones count as removed. */
export type FeedRead = {
  provider: Provider;
  points: readonly PricePoint[];
  /** The date of the feed. */
  asOf: string;
  source: string;
  regions: readonly string[];
  skus: readonly string[];
};

/** Decided is an earlier review of a price: the price in the feed, and whether it was accepted. */
export type Decided = { key: string; after: readonly PricePoint[]; isAccepted: boolean };

export type Holding = {
  item: PricedItem;
  before: PricePoint[];
  after: PricePoint[];
  reasons: HoldReason[];
};

export type Judged = {
  apply: PricePoint[];
  held: Holding[];
  readCount: number;
  appliedCount: number;
  unchangedCount: number;
  skippedCount: number;
};

/** How often an unchanged price is stored with its new date: it stays fresh, and tables stay small. */
const redateAfterDays = 30;

/**
 * judgeRefresh decides which prices of a feed are accepted automatically. A price is held for review if it changes much,
 * differs from other regions, became free, is missing, or is older than the known one. A price that was already rejected is
 * skipped.
 */
export function judgeRefresh(read: FeedRead, known: readonly PricePoint[], decided: readonly Decided[] = []): Judged {
  const items = itemsOf(known.filter((point) => point.provider === read.provider && point.confidence !== "own"));
  const fed = itemsOf(read.points);
  // Known prices come last, and so override those of the feed.
  const elsewhere = elsewhereOf(fed, items);
  const decisions = new Map(decided.map((each) => [each.key, each]));
  const judged: Judged = {
    apply: [],
    held: [],
    readCount: fed.size,
    appliedCount: 0,
    unchangedCount: 0,
    skippedCount: 0,
  };

  for (const [key, after] of fed) {
    const item = itemOf(after);
    const own = items.get(key) ?? [];
    const before = own.length > 0 ? own : widerOf(item, items);
    if (own.length > 0 && isSame(own, after)) {
      judged.unchangedCount++;
      if (daysBetween(dayOf(own), dayOf(after)) >= redateAfterDays) judged.apply.push(...after);
      continue;
    }
    // The same price as that of the wider region is no change.
    const reasons =
      own.length === 0 && isSame(before, after)
        ? []
        : holdReasons({ item, before, own, after, others: othersOf(item, elsewhere) });
    if (reasons.length === 0) {
      judged.apply.push(...after);
      judged.appliedCount++;
    } else if (wasRejected(decisions.get(key), after)) judged.skippedCount++;
    else judged.held.push({ item, before, after, reasons });
  }

  for (const [key, before] of items) {
    const item = itemOf(before);
    if (fed.has(key) || !read.regions.includes(item.region) || !read.skus.includes(item.sku)) continue;
    // The feed doesn't cover other currencies.
    if (![...fed.values()].some((points) => points[0]?.currency === item.currency)) continue;
    if (decisions.get(key)?.after.length === 0) judged.skippedCount++;
    else
      judged.held.push({
        item,
        before,
        after: [],
        reasons: holdReasons({ item, before, own: before, after: [], others: [] }),
      });
  }
  return judged;
}

/** keyOfPriced is the key of a price, regardless of its tiers. */
export function keyOfPriced({ provider, region, sku, unit, currency }: PricedItem): string {
  return [provider, region, sku, unit, currency].join("\n");
}

function itemOf([first]: readonly PricePoint[]): PricedItem {
  if (!first) throw new Error("no price points");
  const { provider, region, sku, unit, currency } = first;
  return { provider, region, sku, unit, currency };
}

/** itemsOf keeps the tiers of the newest date for each item, sorted, and undated ones that continue them. */
function itemsOf(points: readonly PricePoint[]): Map<string, PricePoint[]> {
  const items = new Map<string, PricePoint[]>();
  for (const [key, all] of Map.groupBy(points, keyOfPriced)) {
    const newest = all.reduce((day, { asOf }) => (asOf !== null && asOf > day ? asOf : day), "");
    const dated = newest === "" ? all : all.filter(({ asOf }) => asOf === newest);
    const last = Math.max(...dated.map(({ fromUnits }) => fromUnits));
    const more = newest === "" ? [] : all.filter(({ asOf, fromUnits }) => asOf === null && fromUnits > last);
    items.set(
      key,
      [...dated, ...more].sort((a, b) => a.fromUnits - b.fromUnits),
    );
  }
  return items;
}

/** widerOf is the current price of an item if its own region has none. */
function widerOf(item: PricedItem, items: ReadonlyMap<string, PricePoint[]>): PricePoint[] {
  for (const region of widen(item.provider, item.region)) {
    const found = items.get(keyOfPriced({ ...item, region }));
    if (found) return found;
  }
  return [];
}

/** Elsewhere has each item's price by region: the known one, because mistakes often affect several regions of a feed; otherwise that of the feed. */
type Elsewhere = ReadonlyMap<string, ReadonlyMap<string, PricePoint[]>>;

function elsewhereOf(...items: ReadonlyMap<string, PricePoint[]>[]): Elsewhere {
  const found = new Map<string, Map<string, PricePoint[]>>();
  for (const points of items.flatMap((each) => [...each.values()])) {
    const item = itemOf(points);
    const key = keyOfPriced({ ...item, region: "" });
    const regions = found.get(key) ?? new Map<string, PricePoint[]>();
    found.set(key, regions.set(item.region, points));
  }
  return found;
}

function othersOf(item: PricedItem, elsewhere: Elsewhere): PricePoint[][] {
  const regions = elsewhere.get(keyOfPriced({ ...item, region: "" })) ?? new Map<string, PricePoint[]>();
  return [...regions].filter(([region]) => region !== item.region).map(([, points]) => points);
}

function isSame(before: readonly PricePoint[], after: readonly PricePoint[]): boolean {
  return (
    before.length === after.length &&
    before.every((each, i) => {
      const other = after[i];
      return other?.fromUnits === each.fromUnits && each.micros * other.per === other.micros * each.per;
    })
  );
}

function wasRejected(decision: Decided | undefined, after: readonly PricePoint[]): boolean {
  return decision !== undefined && !decision.isAccepted && isSame(decision.after, after);
}

function dayOf(points: readonly PricePoint[]): string | null {
  return points[0]?.asOf ?? null;
}

function daysBetween(before: string | null, after: string | null): number {
  if (before === null || after === null) return Number.POSITIVE_INFINITY;
  return (Date.parse(after) - Date.parse(before)) / 86_400_000;
}
