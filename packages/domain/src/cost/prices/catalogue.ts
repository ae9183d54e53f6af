import { unitMicros } from "./money.ts";
import { ageOfPrice, type PriceAge } from "./price-age.ts";
import { priceKey } from "./price-key.ts";
import type { PricePoint } from "./price-point.ts";
import type { Confidence, PriceUnit } from "./price-words.ts";
import type { Provider } from "./providers.ts";
import { narrowest, widen } from "./regions.ts";

/** What is used beyond fromUnits in a month costs so many micros a unit, up to the next tier. */
export type Tier = { fromUnits: number; micros: number };

/** Price is what one thing costs in one region, all its tiers together. */
export type Price = {
  provider: Provider;
  region: string;
  sku: string;
  unit: PriceUnit;
  currency: string;
  tiers: Tier[];
  asOf: string | null;
  source: string;
  confidence: Confidence;
  age: PriceAge;
  /** Of what is used beyond so much, nobody says of which day the price is. */
  undatedFrom: number | null;
};

/** BookMachine is a size that an organisation owns; what one of it costs is the price of its sku. */
export type BookMachine = { sku: string; name: string; cores: number; mbps: number };

export type Catalogue = {
  now: Date;
  /** Of one's own, from the price book. */
  machines: readonly BookMachine[];
  /** The narrowest that there are prices for. */
  regionsOf: (provider: Provider) => readonly string[];
  /** Every name of a region that a price has. */
  namesOf: (provider: Provider) => readonly string[];
  /** find answers null for what has no price: never take that for free. */
  find: (provider: Provider, region: string, sku: string, currency: string) => Price | null;
};

type Shelf = Map<string, Price[]>;

/**
 * compileCatalogue makes prices ready to be looked up. Of the same thing, one's own price comes before all others; else
 * the newest does. Where a region has none, that of the wider region it lies in counts.
 */
export function compileCatalogue(
  points: readonly PricePoint[],
  { now, machines = [] }: { now: Date; machines?: readonly BookMachine[] },
): Catalogue {
  const own: Shelf = new Map();
  const listed: Shelf = new Map();
  for (const same of Map.groupBy(points, keyOf).values()) {
    const shelf = same[0]?.confidence === "own" ? own : listed;
    const price = priceOf(same, now);
    if (!price) continue;
    const key = priceKey(price);
    shelf.set(key, [...(shelf.get(key) ?? []), price]);
  }
  // What was agreed for a region is no sign that its provider sells nothing beside it.
  const placing = points.filter(({ provider, confidence }) => provider === "own" || confidence !== "own");
  const names = Map.groupBy(placing, ({ provider }) => provider);
  const namesOf = (provider: Provider) => [...new Set((names.get(provider) ?? []).map(({ region }) => region))];
  return {
    now,
    machines,
    namesOf,
    regionsOf: (provider) => narrowest(provider, namesOf(provider)),
    find: (provider, region, sku, currency) => {
      for (const shelf of [own, listed])
        for (const name of widen(provider, region)) {
          const prices = shelf.get(priceKey({ provider, region: name, sku }));
          const found = prices?.find((price) => price.currency === currency) ?? prices?.[0];
          if (found) return found;
        }
      return null;
    },
  };
}

/** keyOf keeps one's own prices apart from others, and currencies apart from each other. */
function keyOf(point: PricePoint): string {
  return `${priceKey(point)}\n${point.currency}\n${point.confidence === "own"}`;
}

/**
 * priceOf makes one price of what is known of a thing. The tiers of the newest day count. Those without a day only
 * continue them, since nobody knows whether they are older.
 */
function priceOf(points: PricePoint[], now: Date): Price | null {
  const newest = points.reduce<string | null>(
    (day, { asOf }) => (asOf !== null && (day ?? "") < asOf ? asOf : day),
    null,
  );
  const dated = points.filter(({ asOf }) => asOf === newest);
  const last = Math.max(...dated.map(({ fromUnits }) => fromUnits));
  const more = points.filter(({ asOf, fromUnits }) => newest !== null && asOf === null && fromUnits > last);
  const tiers = [...dated, ...more].sort((a, b) => a.fromUnits - b.fromUnits);
  const [first] = tiers;
  // Without the price of the first unit there is none: what comes before the first tier would be free.
  if (first?.fromUnits !== 0) return null;
  return {
    undatedFrom: more.length > 0 ? Math.min(...more.map(({ fromUnits }) => fromUnits)) : null,
    provider: first.provider,
    region: first.region,
    sku: first.sku,
    unit: first.unit,
    currency: first.currency,
    tiers: tiers.map((point) => ({ fromUnits: point.fromUnits, micros: unitMicros(point) })),
    asOf: first.asOf,
    source: first.source,
    confidence: first.confidence,
    age: first.confidence === "own" && first.asOf === null ? "fresh" : ageOfPrice(first.asOf, now),
  };
}
