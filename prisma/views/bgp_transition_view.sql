CREATE VIEW "bgp_transition_view" AS
SELECT
  t.id, t.organization_id AS "organizationId", t.cluster_id AS "clusterId", c.name AS "clusterName", t.agent_id AS "agentId",
  a.node_id AS "nodeId", t.node_name AS "nodeName", t.kind, t.about,
  CASE t.kind WHEN 'session' THEN host(t.about) END AS "peerAddress",
  coalesce((
    SELECT p ->> 'name' FROM jsonb_array_elements(coalesce(c.routing -> 'reflectors', '[]') || coalesce(c.routing -> 'routers', '[]')) p
    WHERE t.kind = 'session' AND (p ->> 'address')::inet = t.about LIMIT 1
  ), (
    SELECT own.name FROM announcement JOIN agent speaker ON speaker.id = announcement.agent_id JOIN node own ON own.id = speaker.node_id
    WHERE t.kind = 'session' AND announcement.cluster_id = t.cluster_id AND announcement.next_hop = t.about LIMIT 1
  ), '') AS "peerName",
  t.peer_asn::float8 AS "peerAsn",
  CASE t.kind WHEN 'announcement' THEN host(t.about) || '/' || masklen(t.about) END AS prefix,
  host(t.next_hop) AS "nextHop", l.id AS "loadBalancerId", l.name AS "loadBalancerName",
  t.from_state AS "from", t.to_state AS "to", t.at, t.reason
FROM bgp_transition t
JOIN cluster c ON c.id = t.cluster_id
LEFT JOIN agent a ON a.id = t.agent_id
LEFT JOIN load_balancer l ON l.id = t.load_balancer_id;
