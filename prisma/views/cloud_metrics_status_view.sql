-- After a change of settings, the cluster counts as never read.
CREATE VIEW "cloud_metrics_status_view" AS
SELECT
  c.id, c.id AS "clusterId", c.organization_id AS "organizationId", coalesce(s.phase, 'checking') AS phase, coalesce(s.message, '') AS message,
  s.observed_at AS "observedAt", s.since, s.read_at AS "readAt",
  b.total AS "balancersTotal", b.found AS "balancersFound", b.metrics * 60 AS "metricsPerHour", b.balancers
FROM cluster c
JOIN cloud_metrics m ON m.cluster_id = c.id
LEFT JOIN cloud_metrics_status s ON s.cluster_id = m.cluster_id AND s.generation = m.generation
CROSS JOIN LATERAL (
  SELECT
    count(*)::int AS total, (count(*) FILTER (WHERE kind <> ''))::int AS found, coalesce(sum(metrics), 0)::int AS metrics,
    coalesce((jsonb_agg(jsonb_build_object(
      'loadBalancerId', id, 'name', name, 'kind', kind, 'readUntil', "readUntil", 'problem', problem
    ) ORDER BY position) FILTER (WHERE position <= 100)), '[]') AS balancers
  FROM (
    SELECT v.*, row_number() OVER (ORDER BY v.problem = '', v.name COLLATE "C", v.id) AS position
    FROM cloud_balancer_view v WHERE v."clusterId" = c.id
  ) v
) b;
