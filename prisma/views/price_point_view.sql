CREATE VIEW "price_point_view" AS
SELECT
  "id", "provider", "region", "sku", "unit", "from_units" AS "fromUnits",
  "micros"::double precision AS "micros", "per"::double precision AS "per", "currency",
  nullif("as_of", '') AS "asOf", "source", "confidence", "recorded_at" AS "recordedAt"
FROM "price_point";
