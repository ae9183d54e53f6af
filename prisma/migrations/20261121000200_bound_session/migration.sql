-- AlterTable
ALTER TABLE "session" ADD COLUMN "bound_organization_id" TEXT;

-- How the sessions so far began is not known. People with an account at a provider sign in again.
DELETE FROM "session" s USING "account" a WHERE a.user_id = s.user_id AND a.provider_id <> 'credential';
