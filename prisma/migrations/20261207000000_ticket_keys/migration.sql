-- Managed ticket keys: which epochs servers have, who has acknowledged them, and their secrets.
CREATE TABLE "ticket_rotation" (
  "exposure_id" TEXT NOT NULL PRIMARY KEY REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "phase" TEXT NOT NULL CONSTRAINT "ticket_rotation_phase_check" CHECK ("phase" IN ('idle', 'adding', 'switching', 'retiring')),
  "epochs" INTEGER[] NOT NULL CONSTRAINT "ticket_rotation_epochs_check" CHECK (cardinality("epochs") = CASE WHEN "phase" = 'idle' THEN 1 ELSE 2 END),
  "revision" INTEGER NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "lifetime_ms" INTEGER NOT NULL,
  "drop_at" TIMESTAMPTZ(3),
  "members" JSONB NOT NULL DEFAULT '[]',
  "away" JSONB NOT NULL DEFAULT '[]',
  "requested_at" TIMESTAMPTZ(3)
);

CREATE TABLE "ticket_secret" (
  "exposure_id" TEXT NOT NULL REFERENCES "ticket_rotation"("exposure_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "epoch" INTEGER NOT NULL,
  "sealed" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("exposure_id", "epoch")
);

ALTER TABLE "replica_session" ADD COLUMN "ticket_revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "backend_server_status" ADD COLUMN "ticket_revision" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "ticket_problem" TEXT NOT NULL DEFAULT '';
