-- What an agent understands, and which revisions and epochs of managed ticket keys an exposure has used.
ALTER TABLE "agent" ADD COLUMN "protocol_version" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "exposure_session"
  ADD COLUMN "ticket_revision" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "ticket_epoch" INTEGER NOT NULL DEFAULT 0;
