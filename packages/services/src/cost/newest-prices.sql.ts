import type { Tx } from "@fairlead/db";
import type { PricePoint } from "@fairlead/domain";

/** selectNewestPrices answers what each thing costs by the newest day that is known of it, and whatever has no day: that may be its next tiers. */
export function selectNewestPrices(tx: Tx): Promise<PricePoint[]> {
  return tx.$queryRaw<PricePoint[]>`
    SELECT provider, region, sku, unit, from_units AS "fromUnits", micros::float8 AS micros, per::float8 AS per, currency,
      nullif(as_of, '') AS "asOf", source, confidence
    FROM price_point AS p
    WHERE as_of = '' OR as_of = (SELECT max(as_of) FROM price_point AS other
      WHERE (other.provider, other.region, other.sku, other.unit) = (p.provider, p.region, p.sku, p.unit))
    ORDER BY provider, region, sku, unit, currency, from_units`;
}
