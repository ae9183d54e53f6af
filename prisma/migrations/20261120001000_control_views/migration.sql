-- The same for what people read of the control plane itself. Secrets are not part of any view.

CREATE VIEW "enrollment_token_view" AS
SELECT
  t.id, t.organization_id AS "organizationId", t.cluster_id AS "clusterId", c.name AS "clusterName", t.node_name AS "nodeName",
  t.created_by AS "createdBy", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt", t.agent_id AS "agentId"
FROM enrollment_token t
JOIN cluster c ON c.id = t.cluster_id;

CREATE VIEW "event_view" AS
SELECT
  e.id, e.organization_id AS "organizationId", e.cluster_id AS "clusterId", e.at, e.severity, e.reason, e.message,
  e.subject_kind AS "subjectKind", e.subject_id AS "subjectId", e.subject_name AS "subjectName"
FROM event e;

CREATE VIEW "audit_entry_view" AS
SELECT
  a.id, a.organization_id AS "organizationId", a.at, a.actor_kind AS "actorKind", a.actor_id AS "actorId", a.actor_name AS "actorName",
  a.action, a.subject_kind AS "subjectKind", a.subject_id AS "subjectId", a.subject_name AS "subjectName", a.before, a.after
FROM audit_entry a;
