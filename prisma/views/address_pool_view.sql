CREATE VIEW "address_pool_view" AS
SELECT
  p.id, p.organization_id AS "organizationId", p.cluster_id AS "clusterId", c.name AS "clusterName", p.name, p.prefix::text AS prefix, p.note,
  (SELECT count(*)::int FROM virtual_address v WHERE v.pool_id = p.id) AS allocated, p.created_at AS "createdAt"
FROM address_pool p
JOIN cluster c ON c.id = p.cluster_id;
