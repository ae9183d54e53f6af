CREATE VIEW "agent_view" AS
SELECT
  a.id, a.organization_id AS "organizationId", a.node_id AS "nodeId", a.roles, a.allowed_roles AS "allowedRoles",
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
    WHEN s.observed_digest NOT IN ('', c.digest) THEN 'out-of-sync'
    ELSE 'in-sync'
  END AS state,
  coalesce(s.warnings, '{}') || CASE WHEN b.problem <> '' THEN ARRAY[b.problem] ELSE '{}' END AS warnings
FROM agent a
LEFT JOIN node n ON n.id = a.node_id
LEFT JOIN node_config c ON c.agent_id = a.id
LEFT JOIN node_status s ON s.agent_id = a.id
LEFT JOIN backend_role_status b ON b.agent_id = a.id;
