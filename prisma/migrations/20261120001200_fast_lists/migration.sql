-- Every row has its cluster and its exposure, so LEFT JOIN shows the same rows. But only a LEFT JOIN is left out by the
-- planner where its columns aren't asked for, as when rows are counted, and lets it follow an index of the first table.
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
LEFT JOIN LATERAL (
  -- The agent whose state most needs a look speaks for the node, a revoked one only when there is no other.
  SELECT v.* FROM agent_view v WHERE v."nodeId" = n.id
  ORDER BY array_position(ARRAY['silent', 'out-of-sync', 'never-seen', 'in-sync', 'revoked'], v.state), v."lastReportAt" DESC NULLS LAST
  LIMIT 1
) a ON true;

CREATE OR REPLACE VIEW "exposure_view" AS
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
LEFT JOIN cluster c ON c.id = e.cluster_id
LEFT JOIN exposure_status s ON s.exposure_id = e.id;

CREATE OR REPLACE VIEW "load_balancer_view" AS
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
LEFT JOIN exposure e ON e.id = l.exposure_id
LEFT JOIN cluster c ON c.id = l.cluster_id
LEFT JOIN load_balancer_status s ON s.load_balancer_id = l.id
LEFT JOIN virtual_address v ON v.load_balancer_id = l.id;

-- The order that lists come in unless asked otherwise. Lists sort names by COLLATE "C", whatever the database's own is.
DROP INDEX "exposure_organization_id_name_idx";
CREATE INDEX "exposure_organization_id_name_id_idx" ON "exposure"("organization_id", "name" COLLATE "C", "id");
DROP INDEX "load_balancer_organization_id_name_idx";
CREATE INDEX "load_balancer_organization_id_name_id_idx" ON "load_balancer"("organization_id", "name" COLLATE "C", "id");
DROP INDEX "node_organization_id_name_idx";
CREATE INDEX "node_organization_id_name_id_idx" ON "node"("organization_id", "name" COLLATE "C", "id");
DROP INDEX "event_organization_id_at_id_idx";
CREATE INDEX "event_organization_id_at_id_idx" ON "event"("organization_id", "at", "id");
DROP INDEX "audit_entry_organization_id_at_id_idx";
CREATE INDEX "audit_entry_organization_id_at_id_idx" ON "audit_entry"("organization_id", "at", "id");

-- Retention drops the oldest of all organisations.
CREATE INDEX "event_at_idx" ON "event"("at");
CREATE INDEX "audit_entry_at_idx" ON "audit_entry"("at");

-- Searches by part of a text over many records read the index, not the table.
CREATE INDEX "event_text_trgm" ON "event" USING gin ("message" gin_trgm_ops, "reason" gin_trgm_ops, "subject_name" gin_trgm_ops);
CREATE INDEX "audit_entry_text_trgm" ON "audit_entry" USING gin ("action" gin_trgm_ops, "actor_name" gin_trgm_ops, "subject_name" gin_trgm_ops);
