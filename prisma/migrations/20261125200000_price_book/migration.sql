CREATE TABLE "negotiated_price" (
  "id" TEXT NOT NULL,
  "organization_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "micros" BIGINT CHECK ("micros" >= 0),
  "per" BIGINT CHECK ("per" > 0),
  "currency" TEXT,
  "discount_percent" DOUBLE PRECISION CHECK ("discount_percent" > 0 AND "discount_percent" <= 100),
  "valid_from" TEXT NOT NULL CHECK ("valid_from" ~ '^\d{4}-\d{2}-\d{2}$'),
  "note" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "negotiated_price_pkey" PRIMARY KEY ("id"),
  -- Either an amount or a discount, and never neither: that would look free.
  CONSTRAINT "negotiated_price_is_one" CHECK (
    CASE WHEN "discount_percent" IS NULL THEN num_nulls("micros", "per", "currency") = 0
    ELSE num_nonnulls("micros", "per", "currency") = 0 END)
);

CREATE UNIQUE INDEX "negotiated_price_organization_id_provider_region_sku_valid__key"
  ON "negotiated_price"("organization_id", "provider", "region", "sku", "valid_from");

CREATE TABLE "own_machine" (
  "id" TEXT NOT NULL,
  "organization_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "cores" INTEGER NOT NULL CHECK ("cores" > 0),
  "network_mbps" INTEGER NOT NULL CHECK ("network_mbps" > 0),
  "currency" TEXT NOT NULL,
  "purchase_micros" BIGINT NOT NULL CHECK ("purchase_micros" >= 0),
  "amortised_months" INTEGER NOT NULL CHECK ("amortised_months" > 0),
  "power_watts" DOUBLE PRECISION NOT NULL CHECK ("power_watts" >= 0),
  "kwh_micros" BIGINT NOT NULL CHECK ("kwh_micros" >= 0),
  "pue" DOUBLE PRECISION NOT NULL CHECK ("pue" >= 1),
  "hosting_monthly_micros" BIGINT NOT NULL CHECK ("hosting_monthly_micros" >= 0),
  "staff_hours_per_month" DOUBLE PRECISION NOT NULL CHECK ("staff_hours_per_month" >= 0),
  "staff_hourly_micros" BIGINT NOT NULL CHECK ("staff_hourly_micros" >= 0),
  "staff_share" DOUBLE PRECISION NOT NULL CHECK ("staff_share" >= 0 AND "staff_share" <= 1),
  "valid_from" TEXT NOT NULL CHECK ("valid_from" ~ '^\d{4}-\d{2}-\d{2}$'),
  "note" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "own_machine_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "own_machine_organization_id_name_valid_from_key"
  ON "own_machine"("organization_id", "name", "valid_from");

CREATE TABLE "currency_rate" (
  "id" TEXT NOT NULL,
  "organization_id" TEXT NOT NULL,
  "from_currency" TEXT NOT NULL,
  "to_currency" TEXT NOT NULL,
  "rate" DOUBLE PRECISION NOT NULL CHECK ("rate" > 0),
  "as_of" TEXT NOT NULL CHECK ("as_of" ~ '^\d{4}-\d{2}-\d{2}$'),
  "source" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "currency_rate_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "currency_rate_is_of_two" CHECK ("from_currency" <> "to_currency")
);

CREATE INDEX "currency_rate_organization_id_idx" ON "currency_rate"("organization_id");
CREATE UNIQUE INDEX "currency_rate_pair" ON "currency_rate"(
  "organization_id", least("from_currency", "to_currency"), greatest("from_currency", "to_currency"), "as_of");

CREATE VIEW "negotiated_price_view" AS
SELECT
  "id", "organization_id" AS "organizationId", "provider", "region", "sku", "unit",
  CASE WHEN "discount_percent" IS NULL
    THEN jsonb_build_object('kind', 'amount', 'micros', "micros", 'per', "per", 'currency', "currency")
    ELSE jsonb_build_object('kind', 'discount', 'percent', "discount_percent") END AS "price",
  "valid_from" AS "validFrom", "note", "created_at" AS "createdAt", "updated_at" AS "updatedAt"
FROM "negotiated_price";

CREATE VIEW "own_machine_view" AS
SELECT
  "id", "organization_id" AS "organizationId", "name", "cores", "network_mbps" AS "networkMbps", "currency",
  "purchase_micros"::double precision AS "purchaseMicros", "amortised_months" AS "amortisedMonths",
  "power_watts" AS "powerWatts", "kwh_micros"::double precision AS "kwhMicros", "pue",
  "hosting_monthly_micros"::double precision AS "hostingMonthlyMicros",
  "staff_hours_per_month" AS "staffHoursPerMonth", "staff_hourly_micros"::double precision AS "staffHourlyMicros",
  "staff_share" AS "staffShare", "valid_from" AS "validFrom", "note",
  "created_at" AS "createdAt", "updated_at" AS "updatedAt"
FROM "own_machine";

CREATE VIEW "currency_rate_view" AS
SELECT
  "id", "organization_id" AS "organizationId", "from_currency" AS "from", "to_currency" AS "to", "rate",
  "as_of" AS "asOf", "source", "created_at" AS "createdAt", "updated_at" AS "updatedAt"
FROM "currency_rate";
