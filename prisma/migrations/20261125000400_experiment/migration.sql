-- When a route's next hops became what they are. Of a hop that went, nothing else says it.
ALTER TABLE "route" ADD COLUMN "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();

CREATE TABLE "experiment" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "change_every_seconds" INTEGER NOT NULL,
  "lasts_seconds" INTEGER NOT NULL,
  "fewest_replicas" INTEGER NOT NULL,
  "seed" BIGINT NOT NULL,
  "replicas" JSONB NOT NULL,
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "drained" TEXT[] NOT NULL DEFAULT '{}',
  "started_by" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "change_count" INTEGER NOT NULL DEFAULT 0,
  "settled_count" INTEGER NOT NULL DEFAULT 0,
  "slowest_ms" INTEGER,
  "broken_connections" INTEGER
);
CREATE INDEX "experiment_organization_id_started_at_idx" ON "experiment" ("organization_id", "started_at");
-- Two at once would measure each other.
CREATE UNIQUE INDEX "experiment_one_running" ON "experiment" ("cluster_id") WHERE "state" = 'running';

CREATE TABLE "experiment_step" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "experiment_id" TEXT NOT NULL REFERENCES "experiment" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "replicas" TEXT[] NOT NULL,
  "number" INTEGER,
  "routes_before" TIMESTAMPTZ(3),
  "settled_at" TIMESTAMPTZ(3)
);
CREATE INDEX "experiment_step_experiment_id_kind_at_idx" ON "experiment_step" ("experiment_id", "kind", "at");
-- A choice is made once, whoever makes it.
CREATE UNIQUE INDEX "experiment_step_number" ON "experiment_step" ("experiment_id", "number");

CREATE VIEW "experiment_view" AS
SELECT
  e.id, e.organization_id AS "organizationId", e.cluster_id AS "clusterId", c.name AS "clusterName", e.state, e.reason,
  e.change_every_seconds AS "changeEverySeconds", e.lasts_seconds AS "lastsSeconds", e.fewest_replicas AS "fewestReplicas",
  e.seed::float8 AS seed, e.replicas, jsonb_array_length(e.replicas) AS "replicaCount", e.drained,
  e.started_by AS "startedBy", e.started_at AS "startedAt", e.started_at + e.lasts_seconds * interval '1 second' AS "endsAt",
  e.ended_at AS "endedAt", e.change_count AS "changeCount", e.settled_count AS "settledCount", e.slowest_ms AS "slowestMs",
  e.broken_connections AS "brokenConnections"
FROM experiment e JOIN cluster c ON c.id = e.cluster_id;

CREATE VIEW "experiment_step_view" AS
SELECT s.id, s.organization_id AS "organizationId", s.experiment_id AS "experimentId", s.kind, s.at, s.replicas, s.number,
  cardinality(s.replicas) AS "replicaCount", s.settled_at AS "settledAt",
  CASE WHEN s.settled_at IS NOT NULL THEN greatest(0, round(extract(epoch FROM s.settled_at - s.at) * 1000))::int END AS "tookMs"
FROM experiment_step s;
