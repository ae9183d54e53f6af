-- An update with a single step is left out: its other steps may be lost. The node is the one that announces this prefix
-- at the next hop, else one that announces any prefix there; the second is looked up only if the first is missing.
-- The cause of a withdrawal is what the speaker reported, or the loss of the session with it.
CREATE VIEW "route_update_view" AS
SELECT
  u.id, u.organization_id AS "organizationId", u.cluster_id AS "clusterId", c.name AS "clusterName", u.prefix AS network,
  host(u.prefix) || '/' || masklen(u.prefix) AS prefix, host(u.next_hop) AS "nextHop", who.id AS "nodeId",
  coalesce(who.name, '') AS "nodeName", u.is_withdrawal AS "isWithdrawal", u.began_at AS "beganAt", u.steps, u.phases AS "phasesMs",
  CASE WHEN u.is_withdrawal THEN coalesce((
    SELECT t.reason FROM bgp_transition t
    WHERE t.cluster_id = u.cluster_id AND t.at BETWEEN u.began_at - interval '1 second' AND u.began_at + interval '15 seconds'
      AND t.kind = 'announcement' AND t.about = u.prefix AND t.next_hop = u.next_hop AND t.to_state IN ('draining', 'withdrawn')
    ORDER BY t.at, t.id LIMIT 1
  ), (
    SELECT t.reason FROM bgp_transition t
    WHERE t.cluster_id = u.cluster_id AND t.at BETWEEN u.began_at - interval '3 seconds' AND u.began_at + interval '3 seconds'
      AND t.kind = 'session' AND t.to_state <> 'established' AND t.reason <> '' AND (t.about = u.next_hop OR t.about IN (
        SELECT other.next_hop FROM announcement JOIN announcement other ON other.agent_id = announcement.agent_id
        WHERE announcement.cluster_id = u.cluster_id AND announcement.next_hop = u.next_hop))
    ORDER BY t.at, t.id LIMIT 1
  ), '') ELSE '' END AS cause
FROM route_update u
JOIN cluster c ON c.id = u.cluster_id
LEFT JOIN node who ON who.id = coalesce((
  SELECT speaker.node_id FROM announcement JOIN agent speaker ON speaker.id = announcement.agent_id
  WHERE announcement.cluster_id = u.cluster_id AND announcement.next_hop = u.next_hop AND announcement.prefix = u.prefix LIMIT 1
), (
  SELECT speaker.node_id FROM announcement JOIN agent speaker ON speaker.id = announcement.agent_id
  WHERE announcement.cluster_id = u.cluster_id AND announcement.next_hop = u.next_hop LIMIT 1
))
WHERE u.phases <> '{}';
