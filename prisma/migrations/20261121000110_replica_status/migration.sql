-- Where a replica was seen is no wish: it moves to a table of its own, and no replica has been placed by decision yet.
CREATE TABLE "replica_status" (
    "replica_id" TEXT NOT NULL,
    "node_id" TEXT,
    "ready" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "replica_status_pkey" PRIMARY KEY ("replica_id")
);
CREATE INDEX "replica_status_node_id_idx" ON "replica_status"("node_id");
ALTER TABLE "replica_status" ADD CONSTRAINT "replica_status_replica_id_fkey" FOREIGN KEY ("replica_id") REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "replica_status" ADD CONSTRAINT "replica_status_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "node"("id") ON DELETE SET NULL ON UPDATE CASCADE;

INSERT INTO "replica_status" ("replica_id", "node_id", "ready", "message", "observed_at")
SELECT "id", "node_id", "ready", "message", "observed_at" FROM "replica" WHERE "observed_at" IS NOT NULL;

UPDATE "replica" SET "node_id" = NULL;
ALTER TABLE "replica" DROP COLUMN "ready", DROP COLUMN "message", DROP COLUMN "observed_at";
