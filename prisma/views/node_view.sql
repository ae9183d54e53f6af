-- A node may have several agents. The agent in the worst state sets the state of its node; figures and facts come from
-- the agent with the role "node". Both are found in one pass over all agents, because a list sorted by them reads every node.
-- A count reads neither: the planner drops a LEFT JOIN on a distinct key if its columns aren't read.
CREATE VIEW "node_view" AS
SELECT
  n.id, n.organization_id AS "organizationId", n.cluster_id AS "clusterId", c.name AS "clusterName", n.name, n.settings, n.generation,
  coalesce(a.state, 'never-seen') AS state,
  coalesce(a."configError", '') AS "configError",
  coalesce(a."desiredRevision", 0) AS "desiredRevision", coalesce(a."observedRevision", 0) AS "observedRevision",
  coalesce((n.settings ->> 'reportIntervalMs')::int, 5000) AS "reportIntervalMs",
  a."lastReportAt", a.version AS "agentVersion",
  h.cpu_utilization_ratio AS "cpuUtilizationRatio", h.memory_used_ratio AS "memoryUsedRatio", h.load1,
  (s.facts ->> 'cpuCount')::int AS "cpuCount", s.facts ->> 'kernel' AS kernel, s.facts,
  n.created_at AS "createdAt", n.updated_at AS "updatedAt",
  n.draining_since AS "drainingSince"
FROM node n
LEFT JOIN cluster c ON c.id = n.cluster_id
LEFT JOIN (
  -- The agent in the worst state, a revoked one only if there is no other.
  SELECT DISTINCT ON (v."nodeId") v.id, v."nodeId", v.state, v."configError", v."desiredRevision", v."observedRevision",
    v."lastReportAt", v.version
  FROM agent_view v
  ORDER BY v."nodeId", array_position(ARRAY['silent', 'out-of-sync', 'never-seen', 'in-sync', 'revoked'], v.state), v."lastReportAt" DESC NULLS LAST
) a ON a."nodeId" = n.id
LEFT JOIN (
  SELECT DISTINCT ON (agent.node_id) agent.node_id, status.agent_id, status.cpu_utilization_ratio, status.memory_used_ratio, status.load1
  FROM agent JOIN node_status status ON status.agent_id = agent.id
  WHERE 'node' = ANY(agent.roles)
  ORDER BY agent.node_id, agent.revoked_at IS NULL DESC, status.last_report_at DESC
) h ON h.node_id = n.id
LEFT JOIN node_status s ON s.agent_id = h.agent_id;
