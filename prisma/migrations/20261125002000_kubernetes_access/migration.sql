-- How the API of a Kubernetes cluster is reached, and how it was found.
CREATE TABLE "kubernetes_access" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "settings" JSONB NOT NULL,
  "sealed" TEXT NOT NULL,
  "generation" INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE "kubernetes_status" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "kubernetes_access" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "generation" INTEGER NOT NULL,
  "phase" TEXT NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "version" TEXT NOT NULL DEFAULT '',
  "permissions" JSONB NOT NULL DEFAULT '[]',
  "checked_at" TIMESTAMPTZ(3),
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL
);

CREATE OR REPLACE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  coalesce(n.count, 0) AS "nodeCount", coalesce(n.silent, 0) AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  c.routing || jsonb_build_object('hasPassword', c.routing_password <> '') AS routing,
  (SELECT r.settings FROM cloud_route r WHERE r.cluster_id = c.id AND r.deleted_at IS NULL) AS "cloudRoute",
  (SELECT k.settings FROM kubernetes_access k WHERE k.cluster_id = c.id) AS kubernetes
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;

-- Asked by another access since, a cluster is as if it had never been asked.
CREATE VIEW "kubernetes_status_view" AS
SELECT
  c.id, c.id AS "clusterId", c.organization_id AS "organizationId", coalesce(s.phase, 'checking') AS phase, coalesce(s.message, '') AS message,
  coalesce(s.version, '') AS version, coalesce(s.permissions, '[]') AS permissions, s.observed_at AS "observedAt", s.since
FROM cluster c
JOIN kubernetes_access k ON k.cluster_id = c.id
LEFT JOIN kubernetes_status s ON s.cluster_id = k.cluster_id AND s.generation = k.generation;
