-- How a cloud brings service addresses to replicas, where no router listens to BGP.
CREATE TABLE "cloud_route" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "settings" JSONB NOT NULL,
  "credentials" TEXT NOT NULL,
  "applied_settings" JSONB,
  "applied_credentials" TEXT NOT NULL DEFAULT '',
  "deleted_at" TIMESTAMPTZ(3)
);

CREATE TABLE "cloud_address" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "address" INET NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "agent_id" TEXT,
  "to_address" TEXT NOT NULL DEFAULT '',
  "decided_at" TIMESTAMPTZ(3) NOT NULL,
  "from_name" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "interface_id" TEXT NOT NULL DEFAULT '',
  "since" TIMESTAMPTZ(3),
  "observed_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "cloud_address_cluster_id_address_key" ON "cloud_address" ("cluster_id", "address");
CREATE INDEX "cloud_address_organization_id_idx" ON "cloud_address" ("organization_id");

CREATE OR REPLACE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  coalesce(n.count, 0) AS "nodeCount", coalesce(n.silent, 0) AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  c.routing || jsonb_build_object('hasPassword', c.routing_password <> '') AS routing,
  (SELECT r.settings FROM cloud_route r WHERE r.cluster_id = c.id AND r.deleted_at IS NULL) AS "cloudRoute"
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;

CREATE VIEW "cloud_address_view" AS
SELECT
  a.id, a.organization_id AS "organizationId", a.cluster_id AS "clusterId", c.name AS "clusterName",
  host(a.address) AS address, l.id AS "loadBalancerId", l.name AS "loadBalancerName", r.settings ->> 'method' AS method,
  a.state, a.reason, n.id AS "nodeId", n.name AS "nodeName", a.interface_id AS "interfaceId", a.since, a.observed_at AS "observedAt"
FROM cloud_address a
JOIN cluster c ON c.id = a.cluster_id
JOIN cloud_route r ON r.cluster_id = a.cluster_id
LEFT JOIN load_balancer l ON l.id = a.load_balancer_id AND l.organization_id = a.organization_id
LEFT JOIN agent g ON g.id = a.agent_id
LEFT JOIN node n ON n.id = g.node_id;
