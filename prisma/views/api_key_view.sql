-- No hash or secret is in this view.
CREATE VIEW "api_key_view" AS
SELECT
  k.id, k.organization_id AS "organizationId", k.name, k.start, k.role, k.scopes,
  k.requests_per_minute AS "requestsPerMinute",
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'active' END AS state,
  coalesce(u.name, p.name, k.created_by) AS "createdBy",
  k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"
FROM api_key k
LEFT JOIN "user" u ON u.id = k.created_by
LEFT JOIN api_key p ON p.id = k.created_by;
