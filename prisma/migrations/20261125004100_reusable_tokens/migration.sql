-- A token by which any number of machines may join, as the pods of a DaemonSet do.
ALTER TABLE "enrollment_token" ADD COLUMN "is_reusable" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "uses" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "roles" TEXT[] NOT NULL DEFAULT '{}';
UPDATE "enrollment_token" SET "uses" = 1 WHERE "used_at" IS NOT NULL;

CREATE OR REPLACE VIEW "enrollment_token_view" AS
SELECT
  t.id, t.organization_id AS "organizationId", t.cluster_id AS "clusterId", c.name AS "clusterName", t.node_name AS "nodeName",
  t.created_by AS "createdBy", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt", t.agent_id AS "agentId",
  a.node_id AS "nodeId", t.is_reusable AS "isReusable", t.uses, t.roles
FROM enrollment_token t
JOIN cluster c ON c.id = t.cluster_id
LEFT JOIN agent a ON a.id = t.agent_id;
