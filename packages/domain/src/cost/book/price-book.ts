import type { BookMachine } from "../prices/catalogue.ts";
import type { CurrencyRate } from "../prices/currency-rate.ts";
import { priceKey } from "../prices/price-key.ts";
import type { PricePoint } from "../prices/price-point.ts";
import { anyRegion, widen } from "../prices/regions.ts";
import { type MachineOutlay, machineCostOf } from "./machine-cost.ts";
import type { AgreedPrice } from "./negotiated-price.ts";

export type BookPrice = Pick<PricePoint, "provider" | "region" | "sku" | "unit"> & {
  price: AgreedPrice;
  validFrom: string;
};
export type BookedMachine = MachineOutlay & {
  name: string;
  cores: number;
  networkMbps: number;
  currency: string;
  validFrom: string;
};

/** PriceBook is an organisation's own prices, of all days. */
export type PriceBook = {
  prices: readonly BookPrice[];
  machines: readonly BookedMachine[];
  rates: readonly CurrencyRate[];
};

/** PriceList is the input of a catalogue. */
export type PriceList = {
  points: readonly PricePoint[];
  machines: readonly BookMachine[];
  rates: readonly CurrencyRate[];
};

/**
 * applyPriceBook adds an organisation's negotiated prices, machines and rates of a day to the list prices. In a catalogue they
 * take precedence; everything else keeps its list price.
 */
export function applyPriceBook(points: readonly PricePoint[], book: PriceBook, day: string): PriceList {
  const machines = validOn(book.machines, day, ({ name }) => name);
  return {
    points: [...points, ...agreedPoints(points, validOn(book.prices, day, priceKey)), ...machines.map(machinePoint)],
    machines: machines.map(({ name, cores, networkMbps: most }) => ({
      sku: machineSku(name),
      name,
      cores,
      mbps: most,
    })),
    rates: validOn(
      book.rates.map((rate) => ({ ...rate, validFrom: rate.asOf })),
      day,
      ({ from, to }) => [from, to].sort().join(),
    ).map(({ validFrom: _, ...rate }) => rate),
  };
}

/** validOn returns the newest valid entry of each name on a day. */
function validOn<Entry extends { validFrom: string }>(
  entries: readonly Entry[],
  day: string,
  nameOf: (entry: Entry) => string,
): Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.validFrom > day) continue;
    const name = nameOf(entry);
    if ((newest.get(name)?.validFrom ?? "") <= entry.validFrom) newest.set(name, entry);
  }
  return [...newest.values()];
}

function agreedPoints(points: readonly PricePoint[], entries: readonly BookPrice[]): PricePoint[] {
  const things = Map.groupBy(entries, ({ provider, sku }) => `${provider}\n${sku}`);
  return [...things.values()].flatMap((same) => [...same.flatMap(amountOf), ...discountsOf(points, same)]);
}

function amountOf({ price, validFrom, ...thing }: BookPrice): PricePoint[] {
  if (price.kind !== "amount") return [];
  const { micros, per, currency } = price;
  return [{ ...pick(thing), fromUnits: 0, micros, per, currency, ...ownSince(validFrom) }];
}

/** discountsOf discounts every tier of the list price. If several entries cover a region, the narrowest counts. */
function discountsOf(points: readonly PricePoint[], same: readonly BookPrice[]): PricePoint[] {
  const [first] = same;
  if (!first) return [];
  const { provider, sku } = first;
  const listed = points.filter((point) => point.provider === provider && point.sku === sku);
  const named = same.map(({ region }) => region).filter((region) => region !== anyRegion);
  const regions = new Set([...listed.map(({ region }) => region), ...named]);
  return [...regions].flatMap((region) => {
    const around = widen(provider, region);
    const entry = narrowestOf(around, same);
    if (entry?.price.kind !== "discount") return [];
    const base = narrowestOf(around, listed)?.region;
    const { percent } = entry.price;
    return listed
      .filter((point) => point.region === base)
      .map((point) => ({ ...point, region, ...lessBy(point, percent), confidence: "own" as const }));
  });
}

function narrowestOf<Of extends { region: string }>(around: readonly string[], all: readonly Of[]): Of | undefined {
  for (const name of around) {
    const found = all.find(({ region }) => region === name);
    if (found) return found;
  }
  return undefined;
}

const basisPoints = 10_000;

/** lessBy is exact: instead of rounding, it changes the number of units that the price is for. */
function lessBy({ micros, per, source }: PricePoint, percent: number): Pick<PricePoint, "micros" | "per" | "source"> {
  const left = basisPoints - Math.round(percent * 100);
  const divisor = greatestCommon(left, basisPoints);
  return {
    micros: (micros * left) / divisor,
    per: (per * basisPoints) / divisor,
    source: `${source} less ${percent} % by the price book`,
  };
}

function greatestCommon(a: number, b: number): number {
  return b === 0 ? a : greatestCommon(b, a % b);
}

function machinePoint(machine: BookedMachine): PricePoint {
  return {
    ...{ provider: "own", region: anyRegion, sku: machineSku(machine.name), unit: "month", fromUnits: 0, per: 1 },
    micros: machineCostOf(machine).monthlyMicros,
    currency: machine.currency,
    ...ownSince(machine.validFrom),
  };
}

export function machineSku(name: string): string {
  return `machine-${name}`;
}

/** An own price has no date of its source: it applies from a day on, and doesn't age. */
function ownSince(validFrom: string): Pick<PricePoint, "asOf" | "source" | "confidence"> {
  return { asOf: null, source: `the price book, from ${validFrom} on`, confidence: "own" };
}

function pick({ provider, region, sku, unit }: Omit<BookPrice, "price" | "validFrom">) {
  return { provider, region, sku, unit };
}

/** withBookRates prefers the rates of a request to those of the book between the same currencies. */
export function withBookRates(requested: readonly CurrencyRate[], book: readonly CurrencyRate[]): CurrencyRate[] {
  const pairOf = ({ from, to }: CurrencyRate) => [from, to].sort().join();
  const given = new Set(requested.map(pairOf));
  return [...requested, ...book.filter((rate) => !given.has(pairOf(rate)))];
}
