import { Prisma, type Tx } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain/cost";
import { rankFound, type Scope } from "./rank-found.sql.ts";

export type PriceRow = { id: string; feed: PriceFeedName; reason: string; waitingCount: number };

/** findPrices finds refreshes with prices that wait for a review, and feeds whose last refresh failed. */
export function findPrices(tx: Tx, scope: Scope) {
  return rankFound<PriceRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT r.id, r.feed, r.reason, coalesce(r.ended_at, r.requested_at) AS since, held.waiting AS "waitingCount", 'prices-held' AS kind
      FROM price_refresh r
      CROSS JOIN LATERAL (SELECT count(*)::int AS waiting FROM held_price h WHERE h.refresh_id = r.id AND h.state = 'waiting') held
      WHERE r.state = 'held' AND held.waiting > 0
      UNION ALL
      SELECT last.* FROM (
        SELECT DISTINCT ON (feed) id, feed, reason, coalesce(ended_at, requested_at) AS since, 0, 'price-refresh-' || state AS kind
        FROM price_refresh WHERE state IN ('held', 'applied', 'failed') ORDER BY feed, requested_at DESC
      ) last WHERE last.kind = 'price-refresh-failed'`,
  );
}
