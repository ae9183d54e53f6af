CREATE VIEW "price_refresh_view" AS
SELECT
  r.id, r.feed, r.state, r.reason, r.is_scheduled AS "isScheduled", r.requested_by AS "requestedBy", r.requested_at AS "requestedAt",
  r.started_at AS "startedAt", r.ended_at AS "endedAt", r.as_of AS "asOf", r.source, r.read_count AS "readCount",
  r.applied_count AS "appliedCount", r.unchanged_count AS "unchangedCount", r.skipped_count AS "skippedCount",
  (SELECT count(*)::int FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'waiting') AS "waitingCount",
  (SELECT count(*)::int FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'accepted') AS "acceptedCount",
  (SELECT count(*)::int FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'rejected') AS "rejectedCount"
FROM price_refresh r;
