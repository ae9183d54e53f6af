-- BGP state is as old as the last report that included BGP: an agent that can't observe its host still reports.
CREATE VIEW "announcement_view" AS
SELECT
  b.id, b.organization_id AS "organizationId", b.cluster_id AS "clusterId", c.name AS "clusterName",
  n.id AS "nodeId", n.name AS "nodeName", a.roles[1] AS role, greatest(b.observed_at, t.observed_at) AS "observedAt",
  v."reportIntervalMs", b.prefix AS network, host(b.prefix) || '/' || masklen(b.prefix) AS prefix, host(b.next_hop) AS "nextHop",
  l.id AS "loadBalancerId", l.name AS "loadBalancerName", b.state, b.state_since AS "stateSince", b.reason,
  now() - greatest(b.observed_at, t.observed_at) > greatest(3 * v."reportIntervalMs", 15000) * interval '1 millisecond' AS "isStale"
FROM announcement b
JOIN agent a ON a.id = b.agent_id AND a.revoked_at IS NULL
JOIN agent_view v ON v.id = a.id
JOIN node n ON n.id = a.node_id
JOIN cluster c ON c.id = b.cluster_id
LEFT JOIN load_balancer l ON l.id = b.load_balancer_id AND l.organization_id = b.organization_id
LEFT JOIN bgp_status t ON t.agent_id = b.agent_id;
