-- LEFT JOIN: the planner drops a join whose columns a query doesn't read, as in a count.
CREATE VIEW "exposure_view" AS
SELECT
  e.id, e.organization_id AS "organizationId", e.cluster_id AS "clusterId", c.name AS "clusterName", c.kind AS "clusterKind", e.name,
  e.workload, e.ports, e.strategy, e.parameters, e.placements, e.labels, e.generation,
  coalesce(s.observed_generation, 0) AS "observedGeneration",
  CASE WHEN e.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase,
  coalesce(s.message, '') AS message, coalesce(s.conditions, '[]'::jsonb) AS conditions, s.observed_at AS "observedAt",
  (SELECT count(*)::int FROM load_balancer l WHERE l.exposure_id = e.id) AS "loadBalancerCount",
  ARRAY(
    SELECT DISTINCT coalesce(host(v.address), ls.address) FROM load_balancer l
    LEFT JOIN virtual_address v ON v.load_balancer_id = l.id LEFT JOIN load_balancer_status ls ON ls.load_balancer_id = l.id
    WHERE l.exposure_id = e.id AND coalesce(host(v.address), ls.address) IS NOT NULL ORDER BY 1 LIMIT 100
  ) AS addresses,
  e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.deleted_at AS "deletedAt",
  e.health_check AS "healthCheck", e.paused_at AS "pausedAt", e.paused_spec AS "specInEffect"
FROM exposure e
LEFT JOIN cluster c ON c.id = e.cluster_id
LEFT JOIN exposure_status s ON s.exposure_id = e.id;
