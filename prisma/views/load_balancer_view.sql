-- LEFT JOIN: the planner drops a join whose columns a query doesn't read, as in a count.
CREATE VIEW "load_balancer_view" AS
SELECT
  l.id, l.organization_id AS "organizationId", l.exposure_id AS "exposureId", e.name AS "exposureName", e.paused_at AS "exposurePausedAt",
  l.cluster_id AS "clusterId", c.name AS "clusterName", l.name, l.kind, e.strategy, l.instance, e.ports,
  coalesce(host(v.address), s.address) AS address,
  CASE WHEN l.deleted_at IS NOT NULL OR e.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase,
  coalesce(s.message, '') AS message,
  (SELECT count(*)::int FROM replica r WHERE r.load_balancer_id = l.id) AS "replicasDesired",
  coalesce(s.replicas_ready, 0) AS "replicasReady", coalesce(s.backends_up, 0) AS "backendsUp", coalesce(s.backends_total, 0) AS "backendsTotal",
  s.observed_at AS "observedAt", l.created_at AS "createdAt", l.updated_at AS "updatedAt"
FROM load_balancer l
LEFT JOIN exposure_in_effect_view e ON e.id = l.exposure_id
LEFT JOIN cluster c ON c.id = l.cluster_id
LEFT JOIN load_balancer_status s ON s.load_balancer_id = l.id
LEFT JOIN virtual_address v ON v.load_balancer_id = coalesce(l.address_of_id, l.id);
