-- Load balancers of a cloud that have a DNS name. A cloud that publishes metrics gives each of its balancers one.
CREATE VIEW "cloud_balancer_view" AS
SELECT
  l.id, l.organization_id AS "organizationId", l.cluster_id AS "clusterId", l.name, s.address, l.created_at AS "createdAt",
  coalesce(b.kind, '') AS kind, coalesce(b.metrics, 0) AS metrics, b.read_until AS "readUntil", coalesce(b.problem, '') AS problem,
  l.deleted_at IS NOT NULL OR e.deleted_at IS NOT NULL AS "isLeaving"
FROM load_balancer l
JOIN exposure e ON e.id = l.exposure_id
JOIN load_balancer_status s ON s.load_balancer_id = l.id
LEFT JOIN cloud_metrics_balancer b ON b.load_balancer_id = l.id
WHERE l.kind = 'cloud' AND s.address ~ '[a-zA-Z]' AND s.address !~ ':';
