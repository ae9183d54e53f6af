-- Counting nodes needs no agents. The planner sees that only where it joins whole tables by their key, so a node's agent
-- is joined by the id that speaks for it, instead of by a lateral query that always runs.
CREATE OR REPLACE VIEW "agent_view" AS
SELECT
  a.id, a.organization_id AS "organizationId", a.node_id AS "nodeId", a.roles,
  coalesce(s.version, '') AS version,
  coalesce(c.revision, 0) AS "desiredRevision",
  coalesce(s.observed_revision, 0) AS "observedRevision",
  coalesce(s.config_error, '') AS "configError",
  coalesce(s.corrections, 0)::float8 AS corrections,
  coalesce(s.dropped_reports, 0)::float8 AS "droppedReports",
  coalesce((n.settings ->> 'reportIntervalMs')::int, 5000) AS "reportIntervalMs",
  s.last_report_at AS "lastReportAt", s.facts,
  s.cpu_utilization_ratio AS "cpuUtilizationRatio", s.memory_used_ratio AS "memoryUsedRatio", s.load1,
  a.certificate_expires_at AS "certificateExpiresAt", a.enrolled_at AS "enrolledAt", a.revoked_at AS "revokedAt",
  CASE
    WHEN a.revoked_at IS NOT NULL THEN 'revoked'
    WHEN s.last_report_at IS NULL THEN 'never-seen'
    WHEN now() - s.last_report_at > greatest(3 * coalesce((n.settings ->> 'reportIntervalMs')::int, 5000), 15000) * interval '1 millisecond' THEN 'silent'
    WHEN c.revision IS NULL OR c.revision <> s.observed_revision OR s.config_error <> '' THEN 'out-of-sync'
    ELSE 'in-sync'
  END AS state
FROM agent a
LEFT JOIN node n ON n.id = a.node_id
LEFT JOIN node_config c ON c.agent_id = a.id
LEFT JOIN node_status s ON s.agent_id = a.id;

CREATE OR REPLACE VIEW "node_view" AS
SELECT
  n.id, n.organization_id AS "organizationId", n.cluster_id AS "clusterId", c.name AS "clusterName", n.name, n.settings, n.generation,
  coalesce(a.state, 'never-seen') AS state,
  coalesce(a."configError", '') AS "configError",
  coalesce(a."desiredRevision", 0) AS "desiredRevision", coalesce(a."observedRevision", 0) AS "observedRevision",
  coalesce((n.settings ->> 'reportIntervalMs')::int, 5000) AS "reportIntervalMs",
  a."lastReportAt", a.version AS "agentVersion",
  a."cpuUtilizationRatio", a."memoryUsedRatio", a.load1,
  (a.facts ->> 'cpuCount')::int AS "cpuCount", a.facts ->> 'kernel' AS kernel, a.facts,
  n.created_at AS "createdAt", n.updated_at AS "updatedAt"
FROM node n
LEFT JOIN cluster c ON c.id = n.cluster_id
LEFT JOIN agent_view a ON a.id = (
  -- The agent whose state most needs a look speaks for the node, a revoked one only when there is no other.
  SELECT v.id FROM agent_view v WHERE v."nodeId" = n.id
  ORDER BY array_position(ARRAY['silent', 'out-of-sync', 'never-seen', 'in-sync', 'revoked'], v.state), v."lastReportAt" DESC NULLS LAST
  LIMIT 1
);
