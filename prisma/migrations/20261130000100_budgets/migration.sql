-- Monthly amounts for the costs of load balancers. A cluster may be deleted while its costs of the month remain.
CREATE TABLE "budget" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "scope" JSONB NOT NULL,
  "amount_micros" BIGINT NOT NULL CHECK ("amount_micros" > 0),
  "currency" TEXT NOT NULL,
  "warn_at_percent" INTEGER NOT NULL CHECK ("warn_at_percent" BETWEEN 1 AND 100),
  "generation" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "budget_organization_id_name_key" ON "budget"("organization_id", "name");

-- The status of each, as last calculated for a generation of it.
CREATE TABLE "budget_status" (
  "budget_id" TEXT NOT NULL PRIMARY KEY REFERENCES "budget"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "generation" INTEGER NOT NULL,
  "state" TEXT CHECK ("state" IN ('within', 'forecast-over', 'over')),
  "state_since" TIMESTAMPTZ(3) NOT NULL,
  "spent_micros" BIGINT,
  "forecast_micros" BIGINT,
  "stated_at" TIMESTAMPTZ(3) NOT NULL
);
