ALTER TABLE "agent" ADD COLUMN "allowed_roles" TEXT[] DEFAULT ARRAY[]::TEXT[];
UPDATE "agent" SET "allowed_roles" = "roles";
