-- No hash or secret is in this view.
CREATE VIEW "member_view" AS
SELECT
  m.id, m.organization_id AS "organizationId", m.user_id AS "userId", u.name, u.email, m.role, m.denied,
  (SELECT count(*)::int FROM api_key k
   WHERE k.organization_id = m.organization_id AND k.created_by = m.user_id
     AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS "activeKeyCount",
  m.created_at AS "createdAt"
FROM member m
JOIN "user" u ON u.id = m.user_id;
