-- Views ask who announces at a next hop, for every row that they show: of 100 000 announcements that has to be a look.
CREATE INDEX "announcement_cluster_id_next_hop_prefix_idx" ON "announcement" ("cluster_id", "next_hop", "prefix");
DROP INDEX "announcement_cluster_id_idx";

-- Of each cluster the oldest are dropped, in their order.
CREATE INDEX "route_update_cluster_id_began_at_id_idx" ON "route_update" ("cluster_id", "began_at", "id");

-- Who announces this very prefix there, else who announces any: the second is only looked for where the first isn't found.
CREATE OR REPLACE VIEW "route_update_view" AS
SELECT
  u.id, u.organization_id AS "organizationId", u.cluster_id AS "clusterId", c.name AS "clusterName", u.prefix AS network,
  host(u.prefix) || '/' || masklen(u.prefix) AS prefix, host(u.next_hop) AS "nextHop", who.id AS "nodeId",
  coalesce(who.name, '') AS "nodeName", u.is_withdrawal AS "isWithdrawal", u.began_at AS "beganAt", u.steps, u.phases AS "phasesMs"
FROM route_update u
JOIN cluster c ON c.id = u.cluster_id
LEFT JOIN node who ON who.id = coalesce((
  SELECT speaker.node_id FROM announcement said JOIN agent speaker ON speaker.id = said.agent_id
  WHERE said.cluster_id = u.cluster_id AND said.next_hop = u.next_hop AND said.prefix = u.prefix LIMIT 1
), (
  SELECT speaker.node_id FROM announcement said JOIN agent speaker ON speaker.id = said.agent_id
  WHERE said.cluster_id = u.cluster_id AND said.next_hop = u.next_hop LIMIT 1
))
WHERE u.phases <> '{}';
