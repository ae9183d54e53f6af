CREATE TABLE "corrected_price" (
  "id" BIGSERIAL NOT NULL,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "from_units" DOUBLE PRECISION NOT NULL,
  "micros" BIGINT NOT NULL,
  "per" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "as_of" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "confidence" TEXT NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL,
  "corrected_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "corrected_price_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "corrected_price_corrected_at_idx" ON "corrected_price"("corrected_at");

-- Whoever changes a price point leaves what it was: a link to an estimate is to show the same cents later.
CREATE FUNCTION keep_corrected_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO corrected_price (provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence, recorded_at, corrected_at)
  VALUES (OLD.provider, OLD.region, OLD.sku, OLD.unit, OLD.from_units, OLD.micros, OLD.per, OLD.currency, OLD.as_of, OLD.source,
    OLD.confidence, OLD.recorded_at, CASE WHEN TG_OP = 'UPDATE' THEN NEW.recorded_at ELSE now() END);
  RETURN NULL;
END $$;

CREATE TRIGGER keep_corrected_price AFTER UPDATE OR DELETE ON "price_point"
  FOR EACH ROW EXECUTE FUNCTION keep_corrected_price();
