CREATE TABLE "price_refresh" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "feed" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "is_scheduled" BOOLEAN NOT NULL,
  "asked_by" TEXT NOT NULL,
  "asked_at" TIMESTAMPTZ(3) NOT NULL,
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "lease_until" TIMESTAMPTZ(3),
  "as_of" TEXT,
  "source" TEXT,
  "read_count" INTEGER NOT NULL DEFAULT 0,
  "applied_count" INTEGER NOT NULL DEFAULT 0,
  "unchanged_count" INTEGER NOT NULL DEFAULT 0,
  "skipped_count" INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX "price_refresh_feed_asked_at_idx" ON "price_refresh" ("feed", "asked_at");
-- Two at once would judge by what the other is about to change.
CREATE UNIQUE INDEX "price_refresh_one_open" ON "price_refresh" ("feed") WHERE "state" IN ('waiting', 'running');

CREATE TABLE "held_price" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "refresh_id" TEXT NOT NULL REFERENCES "price_refresh" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "feed" TEXT NOT NULL,
  "thing" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "as_of" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "before" JSONB NOT NULL,
  "after" JSONB NOT NULL,
  "reasons" JSONB NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "decided_by" TEXT,
  "decided_at" TIMESTAMPTZ(3)
);
CREATE INDEX "held_price_refresh_id_idx" ON "held_price" ("refresh_id");
CREATE INDEX "held_price_feed_thing_decided_at_idx" ON "held_price" ("feed", "thing", "decided_at");

CREATE VIEW "price_refresh_view" AS
SELECT
  r.id, r.feed, r.state, r.reason, r.is_scheduled AS "isScheduled", r.asked_by AS "askedBy", r.asked_at AS "askedAt",
  r.started_at AS "startedAt", r.ended_at AS "endedAt", r.as_of AS "asOf", r.source, r.read_count AS "readCount",
  r.applied_count AS "appliedCount", r.unchanged_count AS "unchangedCount", r.skipped_count AS "skippedCount",
  (SELECT count(*)::int FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'waiting') AS "waitingCount",
  (SELECT count(*)::int FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'accepted') AS "acceptedCount",
  (SELECT count(*)::int FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'rejected') AS "rejectedCount"
FROM price_refresh r;
