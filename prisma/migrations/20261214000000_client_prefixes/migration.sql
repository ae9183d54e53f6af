CREATE TABLE "client_prefixes" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "prefixes" JSONB NOT NULL,
  "planned_at" TIMESTAMPTZ(3) NOT NULL
);

-- Nodes read the plan. With a task, it is created before their next resync.
INSERT INTO "reconcile_task" ("kind", "object_id", "due_at")
SELECT DISTINCT 'client-prefixes', n."cluster_id", now() FROM "agent" a JOIN "node" n ON n."id" = a."node_id"
WHERE 'adaptive' = ANY(a."roles") AND a."revoked_at" IS NULL
ON CONFLICT DO NOTHING;
