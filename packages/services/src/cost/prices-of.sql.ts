import type { Tx } from "@fairlead/db";
import type { PricePoint } from "@fairlead/domain/cost";

/** Which prices: those of a day or before, as known at a moment. Later corrections are not included. */
export type PricesOf = { day: string; knownAt: Date };

/**
 * selectPricesOf returns what each thing cost on the newest day known of it, and undated prices: those may be its next
 * tiers.
 */
export function selectPricesOf(tx: Tx, { day, knownAt }: PricesOf): Promise<PricePoint[]> {
  return selectPricesBetween(tx, { from: day, to: day, knownAt });
}

/** selectPricesBetween also returns the prices of later days, up to another day, so that one query serves all days. */
export function selectPricesBetween(
  tx: Tx,
  { from, to, knownAt }: { from: string; to: string; knownAt: Date },
): Promise<PricePoint[]> {
  return tx.$queryRaw<PricePoint[]>`
    WITH known AS (
      SELECT provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence FROM price_point
      WHERE recorded_at <= ${knownAt} AND as_of <= ${to}
      UNION ALL
      SELECT provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence FROM corrected_price
      WHERE recorded_at <= ${knownAt} AND corrected_at > ${knownAt} AND as_of <= ${to}
    ), dated AS (
      SELECT *, max(as_of) FILTER (WHERE as_of <= ${from}) OVER (PARTITION BY provider, region, sku, unit, currency) AS newest
      FROM known
    )
    SELECT provider, region, sku, unit, from_units AS "fromUnits", micros::float8 AS micros, per::float8 AS per, currency,
      nullif(as_of, '') AS "asOf", source, confidence
    FROM dated WHERE as_of = '' OR as_of = newest OR as_of > ${from}
    ORDER BY provider, region, sku, unit, currency, from_units, as_of`;
}

/** selectNewestPrices returns the current prices, regardless of the clock of the process that recorded them. */
export function selectNewestPrices(tx: Tx): Promise<PricePoint[]> {
  return selectPricesOf(tx, { day: "9999-12-31", knownAt: new Date("9999-12-31T00:00:00Z") });
}

/** selectFirstKnown is when the first price was recorded; null while there is none. */
export async function selectFirstKnown(tx: Tx): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ first: Date | null }[]>`
    SELECT least((SELECT min(recorded_at) FROM price_point), (SELECT min(recorded_at) FROM corrected_price)) AS first`;
  return row?.first ?? null;
}

/** hasNewerPrices reports whether any price was recorded since, or has a later day up to today. */
export async function hasNewerPrices(tx: Tx, { day, knownAt }: PricesOf, today: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ newer: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM price_point WHERE recorded_at > ${knownAt} OR (as_of > ${day} AND as_of <= ${today})) AS newer`;
  return row?.newer ?? false;
}
