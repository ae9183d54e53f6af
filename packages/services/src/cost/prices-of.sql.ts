import type { Tx } from "@fairlead/db";
import type { PricePoint } from "@fairlead/domain/cost";

/** Which prices: those of a day or before, as they were known at a moment. A correction after that is not among them. */
export type PricesOf = { day: string; knownAt: Date };

/** selectPricesOf answers what each thing cost by the newest day that was known of it, and whatever has no day: that may be its next tiers. */
export function selectPricesOf(tx: Tx, { day, knownAt }: PricesOf): Promise<PricePoint[]> {
  return tx.$queryRaw<PricePoint[]>`
    WITH known AS (
      SELECT provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence FROM price_point
      WHERE recorded_at <= ${knownAt} AND as_of <= ${day}
      UNION ALL
      SELECT provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence FROM corrected_price
      WHERE recorded_at <= ${knownAt} AND corrected_at > ${knownAt} AND as_of <= ${day}
    ), dated AS (SELECT *, max(as_of) OVER (PARTITION BY provider, region, sku, unit, currency) AS newest FROM known)
    SELECT provider, region, sku, unit, from_units AS "fromUnits", micros::float8 AS micros, per::float8 AS per, currency,
      nullif(as_of, '') AS "asOf", source, confidence
    FROM dated WHERE as_of = '' OR as_of = newest
    ORDER BY provider, region, sku, unit, currency, from_units, as_of`;
}

/** selectNewestPrices answers what counts by all that is known, whatever the clock of whoever took it in. */
export function selectNewestPrices(tx: Tx): Promise<PricePoint[]> {
  return selectPricesOf(tx, { day: "9999-12-31", knownAt: new Date("9999-12-31T00:00:00Z") });
}

/** selectFirstKnown is when the first price was taken in; null while there is none. */
export async function selectFirstKnown(tx: Tx): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ first: Date | null }[]>`
    SELECT least((SELECT min(recorded_at) FROM price_point), (SELECT min(recorded_at) FROM corrected_price)) AS first`;
  return row?.first ?? null;
}

/** hasNewerPrices says whether anything was taken in since, or became the price of a later day up to today. */
export async function hasNewerPrices(tx: Tx, { day, knownAt }: PricesOf, today: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ newer: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM price_point WHERE recorded_at > ${knownAt} OR (as_of > ${day} AND as_of <= ${today})) AS newer`;
  return row?.newer ?? false;
}

/** selectPriceDays answers the days from which on any price is another. */
export async function selectPriceDays(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<{ day: string }[]>`SELECT DISTINCT as_of AS day FROM price_point WHERE as_of <> ''`;
  return rows.map(({ day }) => day);
}
