ALTER TABLE "sso_provider" ADD COLUMN "name" TEXT;

-- An existing provider keeps its provider_id, because accounts and its registered callback URL contain it.
UPDATE "sso_provider" SET "name" = "provider_id";
ALTER TABLE "sso_provider" ALTER COLUMN "name" SET NOT NULL;

CREATE UNIQUE INDEX "sso_provider_organization_id_name_key" ON "sso_provider"("organization_id", "name");
DROP INDEX "sso_provider_organization_id_idx";
