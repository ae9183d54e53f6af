-- What lists show: each row joined with what it is sorted and filtered by. Columns are named as the domain names them.

CREATE VIEW "agent_view" AS
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
JOIN node n ON n.id = a.node_id
LEFT JOIN node_config c ON c.agent_id = a.id
LEFT JOIN node_status s ON s.agent_id = a.id;

CREATE VIEW "node_view" AS
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
JOIN cluster c ON c.id = n.cluster_id
LEFT JOIN LATERAL (
  -- The agent whose state most needs a look speaks for the node, a revoked one only when there is no other.
  SELECT v.* FROM agent_view v WHERE v."nodeId" = n.id
  ORDER BY array_position(ARRAY['silent', 'out-of-sync', 'never-seen', 'in-sync', 'revoked'], v.state), v."lastReportAt" DESC NULLS LAST
  LIMIT 1
) a ON true;

CREATE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  (SELECT count(*)::int FROM node n WHERE n.cluster_id = c.id) AS "nodeCount",
  (SELECT count(DISTINCT v."nodeId")::int FROM node n JOIN agent_view v ON v."nodeId" = n.id WHERE n.cluster_id = c.id AND v.state = 'silent') AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"
FROM cluster c;

CREATE VIEW "exposure_view" AS
SELECT
  e.id, e.organization_id AS "organizationId", e.cluster_id AS "clusterId", c.name AS "clusterName", c.kind AS "clusterKind", e.name,
  e.workload, e.ports, e.strategy, e.parameters, e.labels, e.generation,
  coalesce(s.observed_generation, 0) AS "observedGeneration",
  CASE WHEN e.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase,
  coalesce(s.message, '') AS message, coalesce(s.conditions, '[]'::jsonb) AS conditions, s.observed_at AS "observedAt",
  (SELECT count(*)::int FROM load_balancer l WHERE l.exposure_id = e.id) AS "loadBalancerCount",
  ARRAY(
    SELECT DISTINCT coalesce(host(v.address), ls.address) FROM load_balancer l
    LEFT JOIN virtual_address v ON v.load_balancer_id = l.id LEFT JOIN load_balancer_status ls ON ls.load_balancer_id = l.id
    WHERE l.exposure_id = e.id AND coalesce(host(v.address), ls.address) IS NOT NULL ORDER BY 1 LIMIT 100
  ) AS addresses,
  e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.deleted_at AS "deletedAt"
FROM exposure e
JOIN cluster c ON c.id = e.cluster_id
LEFT JOIN exposure_status s ON s.exposure_id = e.id;

CREATE VIEW "load_balancer_view" AS
SELECT
  l.id, l.organization_id AS "organizationId", l.exposure_id AS "exposureId", e.name AS "exposureName",
  l.cluster_id AS "clusterId", c.name AS "clusterName", l.name, l.kind, e.strategy, l.instance, e.ports,
  coalesce(host(v.address), s.address) AS address,
  CASE WHEN l.deleted_at IS NOT NULL OR e.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase,
  coalesce(s.message, '') AS message,
  (SELECT count(*)::int FROM replica r WHERE r.load_balancer_id = l.id) AS "replicasDesired",
  coalesce(s.replicas_ready, 0) AS "replicasReady", coalesce(s.backends_up, 0) AS "backendsUp", coalesce(s.backends_total, 0) AS "backendsTotal",
  s.observed_at AS "observedAt", l.created_at AS "createdAt", l.updated_at AS "updatedAt"
FROM load_balancer l
JOIN exposure e ON e.id = l.exposure_id
JOIN cluster c ON c.id = l.cluster_id
LEFT JOIN load_balancer_status s ON s.load_balancer_id = l.id
LEFT JOIN virtual_address v ON v.load_balancer_id = l.id;

CREATE VIEW "address_pool_view" AS
SELECT
  p.id, p.organization_id AS "organizationId", p.cluster_id AS "clusterId", c.name AS "clusterName", p.name, p.prefix::text AS prefix,
  (SELECT count(*)::int FROM virtual_address v WHERE v.pool_id = p.id) AS allocated, p.created_at AS "createdAt"
FROM address_pool p
JOIN cluster c ON c.id = p.cluster_id;
