import type { Tx } from "@fairlead/db";
import type { PricePoint } from "@fairlead/domain/cost";
import { recordPrices } from "../record-prices.sql.ts";

/**
 * replacePrices replaces the prices of each thing on a day: no old tiers of the same day are left next to the new ones.
 */
export async function replacePrices(tx: Tx, points: readonly PricePoint[], now: Date): Promise<void> {
  if (points.length === 0) return;
  const column = <T>(read: (point: PricePoint) => T) => points.map(read);
  await tx.$executeRaw`
    DELETE FROM price_point AS p USING (
      SELECT provider, region, sku, unit, currency, as_of, array_agg(from_units) AS bounds FROM unnest(
        ${column((each) => each.provider)}::text[], ${column((each) => each.region)}::text[],
        ${column((each) => each.sku)}::text[], ${column((each) => each.unit)}::text[],
        ${column((each) => each.currency)}::text[], ${column((each) => each.asOf ?? "")}::text[],
        ${column((each) => each.fromUnits)}::float8[]
      ) AS new_price (provider, region, sku, unit, currency, as_of, from_units)
      GROUP BY provider, region, sku, unit, currency, as_of
    ) AS new_tiers
    WHERE (p.provider, p.region, p.sku, p.unit, p.currency, p.as_of) =
      (new_tiers.provider, new_tiers.region, new_tiers.sku, new_tiers.unit, new_tiers.currency, new_tiers.as_of)
      AND p.from_units <> ALL(new_tiers.bounds)`;
  await recordPrices(tx, points, now);
}
