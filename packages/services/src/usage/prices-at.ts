import type { Tx } from "@fairlead/db";
import {
  applyPriceBook,
  compileCatalogue,
  dayOfHour,
  exchangeTo,
  type Hours,
  hourOf,
  type PriceList,
  type PricePoint,
  type PricesThen,
  priceKey,
  widenRegion,
} from "@fairlead/domain/cost";
import { dayOf } from "../cost/price-moment.ts";
import { selectPricesBetween } from "../cost/prices-of.sql.ts";
import { bookOf } from "../cost/read-price-list.ts";

/**
 * pricesBetween returns what things cost an organisation (null without its price book) at each hour of a time: by its
 * price book and the newest prices of that day or before it. What was not listed by then gets its current list price,
 * and callers must mark it so. All prices are read at once, because a price changes on almost every day of a month.
 */
export async function pricesBetween(
  tx: Tx,
  organizationId: string | null,
  hours: Hours,
  currency: string,
  now: Date,
): Promise<PricesAt> {
  return pricesWith(tx, await bookOf(tx, organizationId), hours, currency, now);
}

export type PricesAt = (hour: number) => PricesThen;
export type LoadedBook = Awaited<ReturnType<typeof bookOf>>;

/** pricesWith does so for a price book that is already loaded. */
export async function pricesWith(
  tx: Tx,
  book: LoadedBook,
  hours: Hours,
  currency: string,
  now: Date,
): Promise<PricesAt> {
  const first = dayOfHour(hours.from);
  const last = dayOfHour(Math.max(hours.from, hours.to - 1));
  const today = dayOf(now);
  const [from = first, , to = last] = [first, last, today].sort();
  const known = await selectPricesBetween(tx, { from, to, knownAt: now });
  const pricesOn = listByDay(known);
  const priced = (day: string) => applyPriceBook(pricesOn(day), book, day);
  const days = [...known.map(({ asOf }) => asOf ?? ""), ...book.changes.map(({ day }) => day)];
  const changed = [...new Set(days)].filter((day) => day > first && day <= last).sort();
  const newest = priced(today);
  const periods: { from: number; prices: PricesThen }[] = [];
  for (const day of [first, ...changed]) {
    const at = new Date(`${day}T00:00:00Z`);
    const list = priced(day);
    const catalogue = compileCatalogue(withUnlisted(list, newest), { now: at, machines: list.machines });
    periods.push({
      from: hourOf(at),
      prices: { day, catalogue, exchange: exchangeTo(currency, list.rates), currency },
    });
  }
  return (hour) => {
    const found = periods.findLast((period) => period.from <= hour) ?? periods[0];
    if (!found) throw new Error("there is a price list for every hour");
    return found.prices;
  };
}

/** listByDay returns what selectPricesOf returns for a day: the newest prices of each thing by then, and undated ones. */
function listByDay(points: readonly PricePoint[]): (day: string) => PricePoint[] {
  const keyed = points.map((point) => ({ point, key: `${priceKey(point)} ${point.unit} ${point.currency}` }));
  return (day) => {
    const newest = new Map<string, string>();
    for (const { point, key } of keyed) {
      const { asOf } = point;
      if (asOf !== null && asOf <= day && asOf > (newest.get(key) ?? "")) newest.set(key, asOf);
    }
    return keyed.flatMap(({ point, key }) => (point.asOf === null || point.asOf === newest.get(key) ? [point] : []));
  };
}

/**
 * withUnlisted adds what was not listed yet, of its region or a wider one. The organisation's own price applies from
 * its day on, and not before.
 */
function withUnlisted({ points }: PriceList, newest: PriceList): PricePoint[] {
  const listed = new Set(points.map(priceKey));
  const isListed = ({ provider, region, sku }: PricePoint) =>
    widenRegion(provider, region).some((wider) => listed.has(priceKey({ provider, region: wider, sku })));
  return [...points, ...newest.points.filter((point) => point.confidence !== "own" && !isListed(point))];
}
