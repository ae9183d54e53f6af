-- Silent nodes are counted in one pass over all agents, not once for each cluster.
CREATE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  coalesce(n.count, 0) AS "nodeCount", coalesce(n.silent, 0) AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id)
    + (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id AND l.address_of_id IS NOT NULL) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  c.routing || jsonb_build_object('hasPassword', c.routing_password <> '') AS routing,
  (SELECT r.settings FROM cloud_route r WHERE r.cluster_id = c.id AND r.deleted_at IS NULL) AS "cloudRoute",
  (SELECT k.settings FROM kubernetes_access k WHERE k.cluster_id = c.id) AS kubernetes,
  c.runs_as AS "runsAs",
  (SELECT m.settings FROM cloud_metrics m WHERE m.cluster_id = c.id) AS "cloudMetrics"
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;
