-- No hash or secret is in this view.
CREATE VIEW "identity_provider_view" AS
SELECT
  p.id, p.organization_id AS "organizationId", p.name, p.issuer, p.client_id AS "clientId",
  string_to_array(p.domain, ',') AS domains, p.default_role AS "defaultRole",
  '/api/auth/sso/callback/' || p.provider_id AS "callbackPath",
  p.created_at AS "createdAt"
FROM sso_provider p;
