-- What a cluster tells routers by BGP, and what its agents see of that.
ALTER TABLE "cluster" ADD COLUMN "routing" JSONB, ADD COLUMN "routing_password" TEXT NOT NULL DEFAULT '';

CREATE OR REPLACE VIEW "cluster_view" AS
SELECT
  c.id, c.organization_id AS "organizationId", c.name, c.kind, c.region, c.labels, c.generation,
  coalesce(n.count, 0) AS "nodeCount", coalesce(n.silent, 0) AS "silentNodeCount",
  (SELECT count(*)::int FROM exposure e WHERE e.cluster_id = c.id) AS "exposureCount",
  (SELECT count(*)::int FROM load_balancer l WHERE l.cluster_id = c.id) AS "loadBalancerCount",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  c.routing || jsonb_build_object('hasPassword', c.routing_password <> '') AS routing
FROM cluster c
LEFT JOIN (
  SELECT node.cluster_id, count(DISTINCT node.id)::int AS count,
    (count(DISTINCT node.id) FILTER (WHERE v.state = 'silent'))::int AS silent
  FROM node LEFT JOIN agent_view v ON v."nodeId" = node.id GROUP BY node.cluster_id
) n ON n.cluster_id = c.id;

ALTER TABLE "bgp_session" ALTER COLUMN "state_since" DROP NOT NULL,
  ADD COLUMN "peer_router_id" TEXT NOT NULL DEFAULT '', ADD COLUMN "hold_seconds" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "routes_received" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "routes_accepted" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "routes_given" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "ups" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "detection" TEXT NOT NULL DEFAULT '', ADD COLUMN "is_full" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "announcement" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "prefix" INET NOT NULL,
  "next_hop" INET NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "stand" TEXT NOT NULL,
  "stand_since" TIMESTAMPTZ(3) NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "announcement_agent_id_prefix_key" ON "announcement" ("agent_id", "prefix");
CREATE INDEX "announcement_organization_id_idx" ON "announcement" ("organization_id");
CREATE INDEX "announcement_cluster_id_idx" ON "announcement" ("cluster_id");
CREATE INDEX "announcement_load_balancer_id_idx" ON "announcement" ("load_balancer_id");

CREATE TABLE "bgp_status" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "address" TEXT NOT NULL DEFAULT '',
  "asn" BIGINT NOT NULL DEFAULT 0,
  "router_id" TEXT NOT NULL DEFAULT '',
  "routes_left_out" BIGINT NOT NULL DEFAULT 0,
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);

-- Nothing has written routes so far. Next hops are read and written with their route, never alone.
DROP TABLE "next_hop";
ALTER TABLE "route" ADD COLUMN "since" TIMESTAMPTZ(3) NOT NULL, ADD COLUMN "next_hops" JSONB NOT NULL;
CREATE INDEX "route_organization_id_idx" ON "route" ("organization_id");

-- As old as its agent's last report: an agent tells of all that it sees.
CREATE VIEW "bgp_session_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.cluster_id AS "clusterId", c.name AS "clusterName",
  n.id AS "nodeId", n.name AS "nodeName", a.roles[1] AS role, greatest(b.observed_at, s.last_report_at) AS "observedAt",
  v."reportIntervalMs", host(b.peer_address) AS "peerAddress",
  coalesce((
    SELECT p ->> 'name' FROM jsonb_array_elements(coalesce(c.routing -> 'reflectors', '[]') || coalesce(c.routing -> 'routers', '[]')) p
    WHERE (p ->> 'address')::inet = b.peer_address LIMIT 1
  ), (
    SELECT own.name FROM announcement said JOIN agent speaker ON speaker.id = said.agent_id JOIN node own ON own.id = speaker.node_id
    WHERE said.cluster_id = b.cluster_id AND said.next_hop = b.peer_address LIMIT 1
  ), '') AS "peerName",
  b.peer_asn::float8 AS "peerAsn", b.local_asn::float8 AS "localAsn", b.peer_router_id AS "peerRouterId", b.state,
  b.state_since AS "stateSince", b.last_error AS "lastError", b.hold_seconds AS "holdSeconds",
  b.routes_received::float8 AS "routesReceived", b.routes_accepted::float8 AS "routesAccepted",
  b.routes_given::float8 AS "routesGiven", b.ups::float8 AS ups, b.detection, b.is_full AS "isFull"
FROM bgp_session b
JOIN agent a ON a.id = b.agent_id AND a.revoked_at IS NULL
JOIN agent_view v ON v.id = a.id
JOIN node n ON n.id = a.node_id
JOIN cluster c ON c.id = b.cluster_id
LEFT JOIN node_status s ON s.agent_id = b.agent_id;

CREATE VIEW "announcement_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.cluster_id AS "clusterId", c.name AS "clusterName",
  n.id AS "nodeId", n.name AS "nodeName", a.roles[1] AS role, greatest(b.observed_at, s.last_report_at) AS "observedAt",
  v."reportIntervalMs", b.prefix AS network, host(b.prefix) || '/' || masklen(b.prefix) AS prefix, host(b.next_hop) AS "nextHop",
  l.id AS "loadBalancerId", l.name AS "loadBalancerName", b.stand, b.stand_since AS "standSince", b.reason
FROM announcement b
JOIN agent a ON a.id = b.agent_id AND a.revoked_at IS NULL
JOIN agent_view v ON v.id = a.id
JOIN node n ON n.id = a.node_id
JOIN cluster c ON c.id = b.cluster_id
LEFT JOIN load_balancer l ON l.id = b.load_balancer_id AND l.organization_id = b.organization_id
LEFT JOIN node_status s ON s.agent_id = b.agent_id;

CREATE VIEW "route_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.cluster_id AS "clusterId", c.name AS "clusterName",
  n.id AS "nodeId", n.name AS "nodeName", a.roles[1] AS role, greatest(b.observed_at, s.last_report_at) AS "observedAt",
  v."reportIntervalMs", b.prefix AS network, host(b.prefix) || '/' || masklen(b.prefix) AS prefix, b.since,
  (
    SELECT jsonb_agg(hop || jsonb_build_object('nodeId', who.id, 'nodeName', coalesce(who.name, '')) ORDER BY (hop ->> 'address')::inet)
    FROM jsonb_array_elements(b.next_hops) hop LEFT JOIN LATERAL (
      SELECT own.id, own.name FROM announcement said JOIN agent speaker ON speaker.id = said.agent_id JOIN node own ON own.id = speaker.node_id
      WHERE said.cluster_id = b.cluster_id AND said.prefix = b.prefix AND said.next_hop = (hop ->> 'address')::inet LIMIT 1
    ) who ON true
  ) AS "nextHops"
FROM route b
JOIN agent a ON a.id = b.agent_id AND a.revoked_at IS NULL
JOIN agent_view v ON v.id = a.id
JOIN node n ON n.id = a.node_id
JOIN cluster c ON c.id = b.cluster_id
LEFT JOIN node_status s ON s.agent_id = b.agent_id;

-- Prefixes sort as addresses do.
CREATE OR REPLACE FUNCTION address_key(address text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF address IS NULL THEN
    RETURN '~';
  END IF;
  IF address ~ '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(/([12]?[0-9]|3[0-2]))?$' THEN
    RETURN encode(inet_send(address::inet), 'hex');
  END IF;
  IF strpos(address, ':') > 0 THEN
    BEGIN
      RETURN encode(inet_send(address::inet), 'hex');
    EXCEPTION WHEN invalid_text_representation THEN
      NULL;
    END;
  END IF;
  RETURN 'h' || lower(address);
END
$$;
