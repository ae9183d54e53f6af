-- BGP state is as old as the last report that included BGP: an agent that can't observe its host still reports.
CREATE VIEW "route_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.cluster_id AS "clusterId", c.name AS "clusterName",
  n.id AS "nodeId", n.name AS "nodeName", a.roles[1] AS role, greatest(b.observed_at, t.observed_at) AS "observedAt",
  v."reportIntervalMs", b.prefix AS network, host(b.prefix) || '/' || masklen(b.prefix) AS prefix, b.since,
  (
    SELECT jsonb_agg(hop || jsonb_build_object('nodeId', who.id, 'nodeName', coalesce(who.name, '')) ORDER BY (hop ->> 'address')::inet)
    FROM jsonb_array_elements(b.next_hops) hop LEFT JOIN LATERAL (
      SELECT own.id, own.name FROM announcement JOIN agent speaker ON speaker.id = announcement.agent_id JOIN node own ON own.id = speaker.node_id
      WHERE announcement.cluster_id = b.cluster_id AND announcement.prefix = b.prefix AND announcement.next_hop = (hop ->> 'address')::inet LIMIT 1
    ) who ON true
  ) AS "nextHops",
  now() - greatest(b.observed_at, t.observed_at) > greatest(3 * v."reportIntervalMs", 15000) * interval '1 millisecond' AS "isStale"
FROM route b
JOIN agent a ON a.id = b.agent_id AND a.revoked_at IS NULL
JOIN agent_view v ON v.id = a.id
JOIN node n ON n.id = a.node_id
JOIN cluster c ON c.id = b.cluster_id
LEFT JOIN bgp_status t ON t.agent_id = b.agent_id;
