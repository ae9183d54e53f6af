import type { PricePoint } from "../prices/price-point.ts";
import type { Provider } from "../prices/providers.ts";
import { widen } from "../prices/regions.ts";
import { holdReasons, type Thing } from "./hold-reasons.ts";
import type { HoldReason } from "./price-refresh.ts";

/** FeedRead is what a feed says, and what it was asked about: what is missing of that is gone. */
export type FeedRead = {
  provider: Provider;
  points: readonly PricePoint[];
  /** The day that the feed is of. */
  asOf: string;
  source: string;
  regions: readonly string[];
  skus: readonly string[];
};

/** Decided is what a person said of a price before: what the feed said then, and whether it was taken. */
export type Decided = { key: string; after: readonly PricePoint[]; isAccepted: boolean };

export type Holding = {
  thing: Thing;
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

/** An unchanged price is written down again with its new day only so often, so that it stays fresh without filling tables. */
const redateAfterDays = 30;

/**
 * judgeRefresh decides what may be taken from a feed without asking anybody. What moves much, stands apart from other
 * regions, became free, is gone, or is older than what is known, waits for a person; so does nothing that a person has
 * rejected already in the same words.
 */
export function judgeRefresh(read: FeedRead, known: readonly PricePoint[], decided: readonly Decided[] = []): Judged {
  const things = thingsOf(known.filter((point) => point.provider === read.provider && point.confidence !== "own"));
  const said = thingsOf(read.points);
  // Known ones come last, and so take the place of others.
  const elsewhere = elsewhereOf(said, things);
  const decisions = new Map(decided.map((each) => [each.key, each]));
  const judged: Judged = {
    apply: [],
    held: [],
    readCount: said.size,
    appliedCount: 0,
    unchangedCount: 0,
    skippedCount: 0,
  };

  for (const [key, after] of said) {
    const thing = thingOf(after);
    const own = things.get(key) ?? [];
    const before = own.length > 0 ? own : widerOf(thing, things);
    if (own.length > 0 && isSame(own, after)) {
      judged.unchangedCount++;
      if (daysBetween(dayOf(own), dayOf(after)) >= redateAfterDays) judged.apply.push(...after);
      continue;
    }
    // What a wider region's price said already is no news.
    const reasons =
      own.length === 0 && isSame(before, after)
        ? []
        : holdReasons({ thing, before, own, after, others: othersOf(thing, elsewhere) });
    if (reasons.length === 0) {
      judged.apply.push(...after);
      judged.appliedCount++;
    } else if (wasRejected(decisions.get(key), after)) judged.skippedCount++;
    else judged.held.push({ thing, before, after, reasons });
  }

  for (const [key, before] of things) {
    const thing = thingOf(before);
    if (said.has(key) || !read.regions.includes(thing.region) || !read.skus.includes(thing.sku)) continue;
    // In another currency the feed has no say.
    if (![...said.values()].some((points) => points[0]?.currency === thing.currency)) continue;
    if (decisions.get(key)?.after.length === 0) judged.skippedCount++;
    else
      judged.held.push({
        thing,
        before,
        after: [],
        reasons: holdReasons({ thing, before, own: before, after: [], others: [] }),
      });
  }
  return judged;
}

/** keyOf names a thing that has a price, whatever its tiers. */
export function keyOfPriced({ provider, region, sku, unit, currency }: Thing): string {
  return [provider, region, sku, unit, currency].join("\n");
}

function thingOf([first]: readonly PricePoint[]): Thing {
  if (!first) throw new Error("a thing without a price is none");
  const { provider, region, sku, unit, currency } = first;
  return { provider, region, sku, unit, currency };
}

/** thingsOf keeps the newest day's tiers of each thing, in order, and those without a day that continue them. */
function thingsOf(points: readonly PricePoint[]): Map<string, PricePoint[]> {
  const things = new Map<string, PricePoint[]>();
  for (const [key, all] of Map.groupBy(points, keyOfPriced)) {
    const newest = all.reduce((day, { asOf }) => (asOf !== null && asOf > day ? asOf : day), "");
    const dated = newest === "" ? all : all.filter(({ asOf }) => asOf === newest);
    const last = Math.max(...dated.map(({ fromUnits }) => fromUnits));
    const more = newest === "" ? [] : all.filter(({ asOf, fromUnits }) => asOf === null && fromUnits > last);
    things.set(
      key,
      [...dated, ...more].sort((a, b) => a.fromUnits - b.fromUnits),
    );
  }
  return things;
}

/** widerOf is what counted for a thing until now where its own region had no price. */
function widerOf(thing: Thing, things: ReadonlyMap<string, PricePoint[]>): PricePoint[] {
  for (const region of widen(thing.provider, thing.region)) {
    const found = things.get(keyOfPriced({ ...thing, region }));
    if (found) return found;
  }
  return [];
}

/** Elsewhere is what each thing costs by region: what is known there, for a slip is seldom in one region alone; else what the feed says. */
type Elsewhere = ReadonlyMap<string, ReadonlyMap<string, PricePoint[]>>;

function elsewhereOf(...things: ReadonlyMap<string, PricePoint[]>[]): Elsewhere {
  const found = new Map<string, Map<string, PricePoint[]>>();
  for (const points of things.flatMap((each) => [...each.values()])) {
    const thing = thingOf(points);
    const key = keyOfPriced({ ...thing, region: "" });
    const regions = found.get(key) ?? new Map<string, PricePoint[]>();
    found.set(key, regions.set(thing.region, points));
  }
  return found;
}

function othersOf(thing: Thing, elsewhere: Elsewhere): PricePoint[][] {
  const regions = elsewhere.get(keyOfPriced({ ...thing, region: "" })) ?? new Map<string, PricePoint[]>();
  return [...regions].filter(([region]) => region !== thing.region).map(([, points]) => points);
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
