import { unitMicros } from "./money.ts";
import { ageOfPrice, type PriceAge } from "./price-age.ts";
import { priceKey } from "./price-key.ts";
import type { PricePoint } from "./price-point.ts";
import type { Confidence, PriceUnit } from "./price-words.ts";
import type { Provider } from "./providers.ts";
import { narrowest, widen } from "./regions.ts";

/** The price in micros per unit for usage beyond fromUnits per month, up to the next tier. */
export type Tier = { fromUnits: number; micros: number };

/** Price is the price of one SKU in one region, with all tiers. */
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
  /** The price of usage beyond this has no date. */
  undatedFrom: number | null;
};

/** BookMachine is a type of machine that an organisation owns. Its cost is the price of its sku. */
export type BookMachine = { sku: string; name: string; cores: number; mbps: number };

export type Catalogue = {
  now: Date;
  /** Own machines, from the price book. */
  machines: readonly BookMachine[];
  /** The narrowest regions with prices. */
  regionsOf: (provider: Provider) => readonly string[];
  /** All names of regions in prices. */
  namesOf: (provider: Provider) => readonly string[];
  /** find returns null without a price: that must never count as free. */
  find: (provider: Provider, region: string, sku: string, currency: string) => Price | null;
};

type Shelf = Map<string, Price[]>;

/**
 * compileCatalogue builds an index of prices. An own price takes precedence over all others; otherwise the newest counts. If a
 * region has no price, that of its wider region counts.
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
  // A negotiated price of a region doesn't mean that its provider has no other regions.
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

/** keyOf separates own prices from others, and currencies from each other. */
function keyOf(point: PricePoint): string {
  return `${priceKey(point)}\n${point.currency}\n${point.confidence === "own"}`;
}

/**
 * priceOf combines the price points of one SKU. The tiers of the newest date count. Undated ones only continue them, because
 * they may be older.
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
  // Without a price of the first unit there is none: usage below the first tier would be free.
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
