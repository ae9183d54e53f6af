-- What a cluster runs as, for its price.
ALTER TABLE "cluster" ADD COLUMN "runs_as" JSONB;

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
  c.runs_as AS "runsAs"
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;

-- In how many of its minutes an hour has samples. Of hours from before this nobody knows.
ALTER TABLE "sample_hour" ADD COLUMN "minutes" INTEGER;
CREATE INDEX "sample_hour_at_idx" ON "sample_hour" USING BRIN ("at") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "usage_subject" (
  "id" SERIAL NOT NULL,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL,
  "exposure_id" TEXT NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "facts" JSONB NOT NULL,
  CONSTRAINT "usage_subject_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "usage_subject_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "usage_subject_load_balancer_id_key" ON "usage_subject" ("load_balancer_id");
CREATE INDEX "usage_subject_organization_id_cluster_id_exposure_id_idx" ON "usage_subject" ("organization_id", "cluster_id", "exposure_id");

-- Hours are numbered from 1970 on, so that a key takes eight bytes: there are as many rows as there are hours of balancers.
CREATE TABLE "usage_hour" (
  "subject_id" INTEGER NOT NULL,
  "hour" INTEGER NOT NULL,
  "exists_seconds" SMALLINT NOT NULL,
  "address_seconds" SMALLINT NOT NULL,
  "replica_seconds" REAL NOT NULL,
  "machine_seconds" REAL NOT NULL,
  "measured_seconds" REAL NOT NULL,
  "bytes_in" DOUBLE PRECISION,
  "peak_in_bps" DOUBLE PRECISION,
  "connection_seconds" DOUBLE PRECISION,
  "connections_new" DOUBLE PRECISION,
  CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("subject_id", "hour")
);
CREATE INDEX "usage_hour_hour_idx" ON "usage_hour" USING BRIN ("hour") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "usage_task" (
  "hour" INTEGER NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "usage_task_pkey" PRIMARY KEY ("hour")
);
CREATE INDEX "usage_task_due_at_idx" ON "usage_task" ("due_at");

-- What a load balancer is, as far as its price goes.
CREATE VIEW "usage_fact_view" AS
SELECT
  l.id AS load_balancer_id, l.organization_id, l.cluster_id, l.exposure_id,
  jsonb_build_object(
    'name', l.name, 'kind', l.kind, 'instance', l.instance, 'address', coalesce(host(a.address), s.address),
    'exposureName', e.name, 'clusterName', c.name, 'clusterRegion', c.region, 'runsAs', c.runs_as, 'labels', e.labels,
    'strategy', e.parameters || jsonb_build_object('type', e.strategy), 'ports', e.ports) AS facts
FROM load_balancer l
JOIN exposure e ON e.id = l.exposure_id
JOIN cluster c ON c.id = l.cluster_id
LEFT JOIN virtual_address a ON a.load_balancer_id = l.id
LEFT JOIN load_balancer_status s ON s.load_balancer_id = l.id;
