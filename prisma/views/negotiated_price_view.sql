CREATE VIEW "negotiated_price_view" AS
SELECT
  "id", "organization_id" AS "organizationId", "provider", "region", "sku", "unit",
  CASE WHEN "discount_percent" IS NULL
    THEN jsonb_build_object('kind', 'amount', 'micros', "micros", 'per', "per", 'currency', "currency")
    ELSE jsonb_build_object('kind', 'discount', 'percent', "discount_percent") END AS "price",
  "valid_from" AS "validFrom", "note", "created_at" AS "createdAt", "updated_at" AS "updatedAt"
FROM "negotiated_price";
