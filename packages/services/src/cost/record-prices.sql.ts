import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { PricePoint } from "@fairlead/domain/cost";

/** recordPrices adds prices to the catalogue, and returns how many changed. An existing price is corrected. */
export async function recordPrices(tx: Tx, points: readonly PricePoint[], now: Date): Promise<number> {
  const column = <T>(read: (point: PricePoint) => T) => points.map(read);
  return tx.$executeRaw`
    INSERT INTO price_point AS p (id, provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence, recorded_at)
    SELECT *, ${now}::timestamptz FROM unnest(
      ${column(() => newId("pricePoint", now))}::text[], ${column((each) => each.provider)}::text[],
      ${column((each) => each.region)}::text[], ${column((each) => each.sku)}::text[],
      ${column((each) => each.unit)}::text[], ${column((each) => each.fromUnits)}::float8[],
      ${column((each) => each.micros)}::bigint[], ${column((each) => each.per)}::bigint[],
      ${column((each) => each.currency)}::text[], ${column((each) => each.asOf ?? "")}::text[],
      ${column((each) => each.source)}::text[], ${column((each) => each.confidence)}::text[])
    ON CONFLICT (provider, region, sku, unit, from_units, currency, as_of) DO UPDATE
    SET micros = excluded.micros, per = excluded.per, source = excluded.source, confidence = excluded.confidence,
      recorded_at = excluded.recorded_at
    WHERE (p.micros, p.per, p.source, p.confidence) IS DISTINCT FROM
      (excluded.micros, excluded.per, excluded.source, excluded.confidence)`;
}
