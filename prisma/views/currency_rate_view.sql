CREATE VIEW "currency_rate_view" AS
SELECT
  "id", "organization_id" AS "organizationId", "from_currency" AS "from", "to_currency" AS "to", "rate",
  "as_of" AS "asOf", "source", "created_at" AS "createdAt", "updated_at" AS "updatedAt"
FROM "currency_rate";
