-- A task holds only kind and ID. This view adds its organisation and its name.
CREATE VIEW "reconcile_task_view" AS
SELECT t.kind, t.object_id AS "objectId", e.organization_id AS "organizationId", e.cluster_id AS "clusterId", e.name AS "objectName",
  t.due_at AS "dueAt", t.attempts, t.last_error AS "lastError", t.resting
FROM reconcile_task t JOIN exposure e ON t.kind = 'exposure' AND e.id = t.object_id
UNION ALL
SELECT t.kind, t.object_id, n.organization_id, n.cluster_id, n.name, t.due_at, t.attempts, t.last_error, t.resting
FROM reconcile_task t JOIN node n ON t.kind = 'node' AND n.id = t.object_id
UNION ALL
SELECT t.kind, t.object_id, c.organization_id, c.id, c.name, t.due_at, t.attempts, t.last_error, t.resting
FROM reconcile_task t JOIN cluster c ON t.kind = 'cluster' AND c.id = t.object_id;
