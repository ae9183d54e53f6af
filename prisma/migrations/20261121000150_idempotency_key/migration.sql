-- Neither was ever read: the digest covers the operation, and the answer to a create has one status.
ALTER TABLE "idempotency_key" DROP COLUMN "operation", DROP COLUMN "status";
