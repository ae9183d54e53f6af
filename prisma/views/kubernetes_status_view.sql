-- After a change of access, the cluster counts as never checked.
CREATE VIEW "kubernetes_status_view" AS
SELECT
  c.id, c.id AS "clusterId", c.organization_id AS "organizationId", coalesce(s.phase, 'checking') AS phase, coalesce(s.message, '') AS message,
  coalesce(s.version, '') AS version, coalesce(s.permissions, '[]') AS permissions, s.observed_at AS "observedAt", s.since
FROM cluster c
JOIN kubernetes_access k ON k.cluster_id = c.id
LEFT JOIN kubernetes_status s ON s.cluster_id = k.cluster_id AND s.generation = k.generation;
