-- How long each phase of an update took: the newest one by one, the others counted by hour.
CREATE TABLE "route_update" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "prefix" INET NOT NULL,
  "next_hop" INET NOT NULL,
  "is_withdrawal" BOOLEAN NOT NULL,
  "began_at" TIMESTAMPTZ(3) NOT NULL,
  "steps" JSONB NOT NULL,
  "phases" JSONB NOT NULL
);
CREATE INDEX "route_update_cluster_id_prefix_next_hop_began_at_idx" ON "route_update" ("cluster_id", "prefix", "next_hop", "began_at");
CREATE INDEX "route_update_organization_id_began_at_idx" ON "route_update" ("organization_id", "began_at");

CREATE TABLE "route_delay" (
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "phase" TEXT NOT NULL,
  "is_withdrawal" BOOLEAN NOT NULL,
  "bucket" INTEGER NOT NULL,
  "count" BIGINT NOT NULL,
  "ms_max" DOUBLE PRECISION NOT NULL,
  PRIMARY KEY ("cluster_id", "hour", "phase", "is_withdrawal", "bucket")
);
CREATE INDEX "route_delay_organization_id_hour_idx" ON "route_delay" ("organization_id", "hour");

-- A single step says nothing: it may be that of an update whose others were lost.
CREATE VIEW "route_update_view" AS
SELECT
  u.id, u.organization_id AS "organizationId", u.cluster_id AS "clusterId", c.name AS "clusterName", u.prefix AS network,
  host(u.prefix) || '/' || masklen(u.prefix) AS prefix, host(u.next_hop) AS "nextHop", who.id AS "nodeId",
  coalesce(who.name, '') AS "nodeName", u.is_withdrawal AS "isWithdrawal", u.began_at AS "beganAt", u.steps, u.phases AS "phasesMs"
FROM route_update u
JOIN cluster c ON c.id = u.cluster_id
LEFT JOIN LATERAL (
  SELECT n.id, n.name FROM announcement said JOIN agent speaker ON speaker.id = said.agent_id JOIN node n ON n.id = speaker.node_id
  WHERE said.cluster_id = u.cluster_id AND said.next_hop = u.next_hop ORDER BY said.prefix = u.prefix DESC LIMIT 1
) who ON true
WHERE u.phases <> '{}';
