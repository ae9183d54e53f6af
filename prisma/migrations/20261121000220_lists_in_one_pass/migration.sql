-- The agents that speak for their nodes are found in one pass over all, not in one query for each node: a list that is
-- sorted by what they say looks at every node. Facts are fetched for the rows that are shown. A count needs neither: the
-- planner leaves out a join that is distinct by what it is joined by, and whose columns nobody asks for.
CREATE OR REPLACE VIEW "node_view" AS
SELECT
  n.id, n.organization_id AS "organizationId", n.cluster_id AS "clusterId", c.name AS "clusterName", n.name, n.settings, n.generation,
  coalesce(a.state, 'never-seen') AS state,
  coalesce(a."configError", '') AS "configError",
  coalesce(a."desiredRevision", 0) AS "desiredRevision", coalesce(a."observedRevision", 0) AS "observedRevision",
  coalesce((n.settings ->> 'reportIntervalMs')::int, 5000) AS "reportIntervalMs",
  a."lastReportAt", a.version AS "agentVersion",
  a."cpuUtilizationRatio", a."memoryUsedRatio", a.load1,
  (s.facts ->> 'cpuCount')::int AS "cpuCount", s.facts ->> 'kernel' AS kernel, s.facts,
  n.created_at AS "createdAt", n.updated_at AS "updatedAt"
FROM node n
LEFT JOIN cluster c ON c.id = n.cluster_id
LEFT JOIN (
  -- The agent whose state most needs a look speaks for the node, a revoked one only when there is no other.
  SELECT DISTINCT ON (v."nodeId") v.id, v."nodeId", v.state, v."configError", v."desiredRevision", v."observedRevision",
    v."lastReportAt", v.version, v."cpuUtilizationRatio", v."memoryUsedRatio", v.load1
  FROM agent_view v
  ORDER BY v."nodeId", array_position(ARRAY['silent', 'out-of-sync', 'never-seen', 'in-sync', 'revoked'], v.state), v."lastReportAt" DESC NULLS LAST
) a ON a."nodeId" = n.id
LEFT JOIN node_status s ON s.agent_id = a.id;

-- So are the silent nodes of clusters.
CREATE OR REPLACE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  coalesce(n.count, 0) AS "nodeCount", coalesce(n.silent, 0) AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;
