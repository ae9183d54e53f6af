CREATE VIEW "experiment_step_view" AS
SELECT s.id, s.organization_id AS "organizationId", s.experiment_id AS "experimentId", s.kind, s.at, s.replicas, s.number,
  cardinality(s.replicas) AS "replicaCount", s.settled_at AS "settledAt",
  CASE WHEN s.settled_at IS NOT NULL THEN greatest(0, round(extract(epoch FROM s.settled_at - s.at) * 1000))::int END AS "tookMs"
FROM experiment_step s;
