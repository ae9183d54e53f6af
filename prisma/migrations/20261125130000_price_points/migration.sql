CREATE TABLE "price_point" (
  "id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "from_units" DOUBLE PRECISION NOT NULL CHECK ("from_units" >= 0),
  "micros" BIGINT NOT NULL CHECK ("micros" >= 0),
  "per" BIGINT NOT NULL CHECK ("per" > 0),
  "currency" TEXT NOT NULL,
  "as_of" TEXT NOT NULL CHECK ("as_of" ~ '^(\d{4}-\d{2}-\d{2})?$'),
  "source" TEXT NOT NULL,
  "confidence" TEXT NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "price_point_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "price_point_provider_region_sku_unit_from_units_currency_as_key"
  ON "price_point"("provider", "region", "sku", "unit", "from_units", "currency", "as_of");

CREATE TABLE "price_list" (
  "name" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "taken_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "price_list_pkey" PRIMARY KEY ("name")
);

CREATE VIEW "price_point_view" AS
SELECT
  "id", "provider", "region", "sku", "unit", "from_units" AS "fromUnits",
  "micros"::double precision AS "micros", "per"::double precision AS "per", "currency",
  nullif("as_of", '') AS "asOf", "source", "confidence", "recorded_at" AS "recordedAt"
FROM "price_point";
