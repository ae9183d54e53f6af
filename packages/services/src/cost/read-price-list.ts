import type { Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { applyPriceBook, type PriceList } from "@fairlead/domain/cost";
import { loadBook } from "../price-book/load-book.sql.ts";
import { dayOf } from "./price-moment.ts";
import { hasNewerPrices, type PricesOf, selectFirstKnown, selectPricesOf } from "./prices-of.sql.ts";

export type PricesWanted = PricesOf & {
  /** Whose price book counts as well; null for what anybody pays. */
  organizationId: string | null;
};

/** readPriceList answers the prices that hold for an organisation on a day: what is listed, and what its book says. */
export async function readPriceList(tx: Tx, wanted: PricesWanted): Promise<PriceList> {
  const { organizationId, day } = wanted;
  const [points, book] = await Promise.all([selectPricesOf(tx, wanted), bookOf(tx, organizationId)]);
  return applyPriceBook(points, book, day);
}

async function bookOf(tx: Tx, organizationId: string | null) {
  return organizationId === null ? { prices: [], machines: [], rates: [], changes: [] } : loadBook(tx, organizationId);
}

/** checkKnown refuses a moment of which no price is kept here, rather than answer that nothing has a price. */
export async function checkKnown(tx: Tx, { knownAt }: PricesOf): Promise<void> {
  const first = await selectFirstKnown(tx);
  if (first === null || first <= knownAt) return;
  throw invalid(
    ["pricesOf"],
    `No prices of ${dayOf(knownAt)} are kept here: the first were taken in on ${dayOf(first)}. Leave pricesOf out for those of today.`,
  );
}

/** hasNewer says whether the same question may have another answer today. */
export async function hasNewer(tx: Tx, wanted: PricesWanted, now: Date): Promise<boolean> {
  const today = dayOf(now);
  if (await hasNewerPrices(tx, wanted, today)) return true;
  const { changes } = await bookOf(tx, wanted.organizationId);
  return changes.some(({ day, updatedAt }) => updatedAt > wanted.knownAt || (day > wanted.day && day <= today));
}
