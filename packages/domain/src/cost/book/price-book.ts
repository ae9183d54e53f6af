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

/** PriceBook is all that an organisation says of its own prices, of whichever day. */
export type PriceBook = {
  prices: readonly BookPrice[];
  machines: readonly BookedMachine[];
  rates: readonly CurrencyRate[];
};

/** PriceList is what a catalogue is made of. */
export type PriceList = {
  points: readonly PricePoint[];
  machines: readonly BookMachine[];
  rates: readonly CurrencyRate[];
};

/**
 * applyPriceBook puts what an organisation agreed, owns and reckons by on a day beside what is listed. Its own prices
 * come first in a catalogue; what they don't speak of stays as it is listed.
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

/** validOn takes the newest entry of each thing that holds on a day. */
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

/** discountsOf lessens every tier of what is listed. Of several entries that speak of a region, the narrowest counts. */
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

/** lessBy is exact: what is taken off goes into the number of units that the price is for. */
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

/** One's own price has no day of which it was read: it holds from a day on, however long ago that is. */
function ownSince(validFrom: string): Pick<PricePoint, "asOf" | "source" | "confidence"> {
  return { asOf: null, source: `the price book, from ${validFrom} on`, confidence: "own" };
}

function pick({ provider, region, sku, unit }: Omit<BookPrice, "price" | "validFrom">) {
  return { provider, region, sku, unit };
}

/** withBookRates has the rates of a question count before those of the book between the same currencies. */
export function withBookRates(asked: readonly CurrencyRate[], book: readonly CurrencyRate[]): CurrencyRate[] {
  const pairOf = ({ from, to }: CurrencyRate) => [from, to].sort().join();
  const given = new Set(asked.map(pairOf));
  return [...asked, ...book.filter((rate) => !given.has(pairOf(rate)))];
}
