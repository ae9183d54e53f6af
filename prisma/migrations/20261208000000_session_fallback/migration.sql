-- What carries connections while no backend takes them by TLS session, and until when clients return to one that drains.
ALTER TABLE "replica_session" ADD COLUMN "fallback" TEXT NOT NULL DEFAULT ''
  CONSTRAINT "replica_session_fallback_check" CHECK ("fallback" IN ('', 'proxy', 'plain'));
UPDATE "replica_session" SET "fallback" = 'plain' WHERE "problem" <> '';

ALTER TABLE "backend" ADD COLUMN "returns" BOOLEAN NOT NULL DEFAULT false;
