-- Where a cloud tells what the load balancers measured that it runs, and how far that is read.
CREATE TABLE "cloud_metrics" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "settings" JSONB NOT NULL,
  "credentials" TEXT NOT NULL,
  "generation" INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE "cloud_metrics_status" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cloud_metrics" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "generation" INTEGER NOT NULL,
  "phase" TEXT NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "read_at" TIMESTAMPTZ(3)
);

CREATE TABLE "cloud_metrics_balancer" (
  "load_balancer_id" TEXT NOT NULL PRIMARY KEY REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "cluster_id" TEXT NOT NULL REFERENCES "cloud_metrics" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL DEFAULT '',
  "metrics" INTEGER NOT NULL DEFAULT 0,
  "read_until" TIMESTAMPTZ(3),
  "problem" TEXT NOT NULL DEFAULT ''
);
CREATE INDEX "cloud_metrics_balancer_cluster_id_idx" ON "cloud_metrics_balancer" ("cluster_id");

CREATE OR REPLACE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  coalesce(n.count, 0) AS "nodeCount", coalesce(n.silent, 0) AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  c.routing || jsonb_build_object('hasPassword', c.routing_password <> '') AS routing,
  (SELECT r.settings FROM cloud_route r WHERE r.cluster_id = c.id AND r.deleted_at IS NULL) AS "cloudRoute",
  (SELECT k.settings FROM kubernetes_access k WHERE k.cluster_id = c.id) AS kubernetes,
  c.runs_as AS "runsAs",
  (SELECT m.settings FROM cloud_metrics m WHERE m.cluster_id = c.id) AS "cloudMetrics"
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;

-- A cloud's balancer that has a name: one with an address alone is none of a cloud that tells what it measured.
CREATE VIEW "cloud_balancer_view" AS
SELECT
  l.id, l.organization_id AS "organizationId", l.cluster_id AS "clusterId", l.name, s.address, l.created_at AS "createdAt",
  coalesce(b.kind, '') AS kind, coalesce(b.metrics, 0) AS metrics, b.read_until AS "readUntil", coalesce(b.problem, '') AS problem,
  l.deleted_at IS NOT NULL OR e.deleted_at IS NOT NULL AS "isLeaving"
FROM load_balancer l
JOIN exposure e ON e.id = l.exposure_id
JOIN load_balancer_status s ON s.load_balancer_id = l.id
LEFT JOIN cloud_metrics_balancer b ON b.load_balancer_id = l.id
WHERE l.kind = 'cloud' AND s.address ~ '[a-zA-Z]' AND s.address !~ ':';

-- Asked by other settings since, a cluster is as if it had never been asked.
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
