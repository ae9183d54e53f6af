import type { Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { applyPriceBook, type PriceList } from "@fairlead/domain/cost";
import { loadBook } from "../price-book/load-book.sql.ts";
import { dayOf } from "./price-moment.ts";
import { hasNewerPrices, type PricesOf, selectFirstKnown, selectPricesOf } from "./prices-of.sql.ts";

export type PricesWanted = PricesOf & {
  /** Whose price book also applies; null for public prices. */
  organizationId: string | null;
};

/** readPriceList returns the prices of an organisation on a day: the public ones, and its price book. */
export async function readPriceList(tx: Tx, wanted: PricesWanted): Promise<PriceList> {
  const { organizationId, day } = wanted;
  const [points, book] = await Promise.all([selectPricesOf(tx, wanted), bookOf(tx, organizationId)]);
  return applyPriceBook(points, book, day);
}

/** bookOf returns a price book; an empty one for public prices. */
export async function bookOf(tx: Tx, organizationId: string | null) {
  return organizationId === null ? { prices: [], machines: [], rates: [], changes: [] } : loadBook(tx, organizationId);
}

/** checkKnown refuses a moment before the first stored price: an answer without prices would mislead. */
export async function checkKnown(tx: Tx, { knownAt }: PricesOf): Promise<void> {
  const first = await selectFirstKnown(tx);
  if (first === null || first <= knownAt) return;
  throw invalid(
    ["pricesOf"],
    `No prices of ${dayOf(knownAt)} are available: the first were stored on ${dayOf(first)}. Omit pricesOf for today's prices.`,
  );
}

/** hasNewer reports whether the same request would have another answer today. */
export async function hasNewer(tx: Tx, wanted: PricesWanted, now: Date): Promise<boolean> {
  const today = dayOf(now);
  if (await hasNewerPrices(tx, wanted, today)) return true;
  const { changes } = await bookOf(tx, wanted.organizationId);
  return changes.some(({ day, updatedAt }) => updatedAt > wanted.knownAt || (day > wanted.day && day <= today));
}
