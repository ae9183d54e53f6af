-- The agent that the token enrolled names the node. No hash or secret is in this view.
CREATE VIEW "enrollment_token_view" AS
SELECT
  t.id, t.organization_id AS "organizationId", t.cluster_id AS "clusterId", c.name AS "clusterName", t.node_name AS "nodeName",
  t.created_by AS "createdBy", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt", t.agent_id AS "agentId",
  a.node_id AS "nodeId", t.is_reusable AS "isReusable", t.uses, t.roles
FROM enrollment_token t
JOIN cluster c ON c.id = t.cluster_id
LEFT JOIN agent a ON a.id = t.agent_id;
