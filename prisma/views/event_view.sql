CREATE VIEW "event_view" AS
SELECT
  e.id, e.organization_id AS "organizationId", e.cluster_id AS "clusterId", e.at, e.severity, e.reason, e.message,
  e.subject_kind AS "subjectKind", e.subject_id AS "subjectId", e.subject_name AS "subjectName"
FROM event e;
