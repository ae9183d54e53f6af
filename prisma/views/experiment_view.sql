CREATE VIEW "experiment_view" AS
SELECT
  e.id, e.organization_id AS "organizationId", e.cluster_id AS "clusterId", c.name AS "clusterName", e.state, e.reason,
  e.change_every_seconds AS "changeEverySeconds", e.duration_seconds AS "durationSeconds", e.fewest_replicas AS "fewestReplicas",
  e.seed::float8 AS seed, e.replicas, jsonb_array_length(e.replicas) AS "replicaCount", e.drained,
  e.started_by AS "startedBy", e.started_at AS "startedAt", e.started_at + e.duration_seconds * interval '1 second' AS "endsAt",
  e.ended_at AS "endedAt", e.change_count AS "changeCount", e.settled_count AS "settledCount", e.slowest_ms AS "slowestMs",
  e.broken_connections AS "brokenConnections"
FROM experiment e JOIN cluster c ON c.id = e.cluster_id;
