-- BGP state is as old as the last report that included BGP: an agent that can't observe its host still reports.
CREATE VIEW "bgp_session_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.cluster_id AS "clusterId", c.name AS "clusterName",
  n.id AS "nodeId", n.name AS "nodeName", a.roles[1] AS role, greatest(b.observed_at, t.observed_at) AS "observedAt",
  v."reportIntervalMs", host(b.peer_address) AS "peerAddress",
  coalesce((
    SELECT p ->> 'name' FROM jsonb_array_elements(coalesce(c.routing -> 'reflectors', '[]') || coalesce(c.routing -> 'routers', '[]')) p
    WHERE (p ->> 'address')::inet = b.peer_address LIMIT 1
  ), (
    SELECT own.name FROM announcement JOIN agent speaker ON speaker.id = announcement.agent_id JOIN node own ON own.id = speaker.node_id
    WHERE announcement.cluster_id = b.cluster_id AND announcement.next_hop = b.peer_address LIMIT 1
  ), '') AS "peerName",
  b.peer_asn::float8 AS "peerAsn", b.local_asn::float8 AS "localAsn", b.peer_router_id AS "peerRouterId", b.state,
  b.state_since AS "stateSince", b.last_error AS "lastError", b.hold_seconds AS "holdSeconds",
  b.routes_received::float8 AS "routesReceived", b.routes_accepted::float8 AS "routesAccepted",
  b.routes_advertised::float8 AS "routesAdvertised", b.established_count::float8 AS "establishedCount", b.detection, b.is_full AS "isFull",
  now() - greatest(b.observed_at, t.observed_at) > greatest(3 * v."reportIntervalMs", 15000) * interval '1 millisecond' AS "isStale",
  b.keepalive_seconds AS "keepaliveSeconds", b.detect_interval_ms AS "detectIntervalMs", b.detect_multiplier AS "detectMultiplier",
  coalesce((t.messages -> host(b.peer_address) ->> 0)::float8, 0) AS "messagesIn",
  coalesce((t.messages -> host(b.peer_address) ->> 1)::float8, 0) AS "messagesOut",
  b.agent_id AS "agentId", family(b.peer_address) AS family
FROM bgp_session b
JOIN agent a ON a.id = b.agent_id AND a.revoked_at IS NULL
JOIN agent_view v ON v.id = a.id
JOIN node n ON n.id = a.node_id
JOIN cluster c ON c.id = b.cluster_id
LEFT JOIN bgp_status t ON t.agent_id = b.agent_id;
