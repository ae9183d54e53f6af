CREATE VIEW "move_view" AS
SELECT
  m.id, m.organization_id AS "organizationId", m.exposure_id AS "exposureId", e.name AS "exposureName",
  m.from_cluster_id AS "fromClusterId", m.from_cluster_name AS "fromClusterName", m.to_cluster_id AS "toClusterId",
  m.to_cluster_name AS "toClusterName", m.workload, m.steps, m.watch_seconds AS "watchSeconds", m.gates, m.state, m.reason, m.step,
  m.share, m.step_at AS "stepAt",
  CASE WHEN m.state = 'watching' THEN m.serving_since + m.watch_seconds * interval '1 second' END AS "nextStepAt",
  m.figures, m.judged_at AS "judgedAt", m.started_by AS "startedBy", m.started_at AS "startedAt", m.ended_at AS "endedAt"
FROM move m JOIN exposure e ON e.id = m.exposure_id;
