CREATE VIEW "audit_entry_view" AS
SELECT
  a.id, a.organization_id AS "organizationId", a.at, a.actor_kind AS "actorKind", a.actor_id AS "actorId", a.actor_name AS "actorName",
  a.action, a.subject_kind AS "subjectKind", a.subject_id AS "subjectId", a.subject_name AS "subjectName", a.before, a.after
FROM audit_entry a;
