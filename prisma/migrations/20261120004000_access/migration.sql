-- CreateTable
CREATE TABLE "allowance" (
    "name" TEXT NOT NULL,
    "spent_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "allowance_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "allowance_spent_until_idx" ON "allowance"("spent_until");

-- What the lists of settings show. None of these views has a hash or a secret in it.

CREATE VIEW "member_view" AS
SELECT
  m.id, m.organization_id AS "organizationId", m.user_id AS "userId", u.name, u.email, m.role,
  (SELECT count(*)::int FROM api_key k
   WHERE k.organization_id = m.organization_id AND k.created_by = m.user_id
     AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS "activeKeyCount",
  m.created_at AS "createdAt"
FROM member m
JOIN "user" u ON u.id = m.user_id;

CREATE VIEW "invitation_view" AS
SELECT
  i.id, i.organization_id AS "organizationId", i.email, i.role,
  CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.expires_at <= now() THEN 'expired' ELSE 'pending' END AS state,
  coalesce(u.name, k.name, i.created_by) AS "createdBy",
  i.created_at AS "createdAt", i.expires_at AS "expiresAt", i.accepted_at AS "acceptedAt"
FROM invitation i
LEFT JOIN "user" u ON u.id = i.created_by
LEFT JOIN api_key k ON k.id = i.created_by;

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
