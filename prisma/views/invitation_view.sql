-- No hash or secret is in this view.
CREATE VIEW "invitation_view" AS
SELECT
  i.id, i.organization_id AS "organizationId", i.email, i.role,
  CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.expires_at <= now() THEN 'expired' ELSE 'pending' END AS state,
  coalesce(u.name, k.name, i.created_by) AS "createdBy",
  i.created_at AS "createdAt", i.expires_at AS "expiresAt", i.accepted_at AS "acceptedAt"
FROM invitation i
LEFT JOIN "user" u ON u.id = i.created_by
LEFT JOIN api_key k ON k.id = i.created_by;
