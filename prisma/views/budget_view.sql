CREATE VIEW "budget_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.name, b.scope, b.amount_micros::double precision AS "amountMicros", b.currency,
  b.warn_at_percent AS "warnAtPercent", c.name AS "clusterName", b.generation, b.created_at AS "createdAt", b.updated_at AS "updatedAt"
FROM budget b
LEFT JOIN cluster c ON c.id = b.scope ->> 'clusterId' AND c.organization_id = b.organization_id;
