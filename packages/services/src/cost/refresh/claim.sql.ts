import type { Db } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain/cost";

export type ClaimedRefresh = { id: string; feed: PriceFeedName; attempt: number };

/** Longer than any read takes. */
const leaseMs = 10 * 60_000;

/**
 * claimPriceRefresh claims a waiting refresh, or one whose controller is gone, for this controller; null where there is
 * none.
 */
export async function claimPriceRefresh(db: Db, now: Date): Promise<ClaimedRefresh | null> {
  const [claimed] = await db.$queryRaw<ClaimedRefresh[]>`
    UPDATE price_refresh SET state = 'running', started_at = ${now}, attempt = attempt + 1,
      lease_until = ${new Date(now.getTime() + leaseMs)}
    WHERE id = (
      SELECT id FROM price_refresh WHERE state = 'waiting' OR (state = 'running' AND lease_until < ${now})
      ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, feed, attempt`;
  return claimed ?? null;
}
