import type { Db } from "@fairlead/db";
import { inBatches } from "../../control/in-batches.ts";

/**
 * sweepRefreshes deletes old reads of price feeds, with the prices that they held, and returns how many rows. The last
 * decision about each price stays, because a decided price isn't held again. So does the last read of each feed, and
 * the last that applied prices.
 */
export async function sweepRefreshes(db: Db, before: Date): Promise<number> {
  const held = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM held_price WHERE id IN (
        SELECT h.id FROM held_price h JOIN price_refresh r ON r.id = h.refresh_id
        WHERE r.requested_at < ${before} AND coalesce(h.decided_at, r.requested_at) < ${before}
          AND (h.state = 'superseded' OR h.state IN ('accepted', 'rejected') AND EXISTS (
            SELECT 1 FROM held_price later
            WHERE later.feed = h.feed AND later.price_key = h.price_key AND later.state IN ('accepted', 'rejected')
              AND (later.decided_at, later.id) > (h.decided_at, h.id)))
        LIMIT ${most})`,
  );
  const refreshes = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM price_refresh WHERE id IN (
        SELECT r.id FROM price_refresh r
        WHERE r.requested_at < ${before} AND r.state IN ('applied', 'failed')
          AND NOT EXISTS (SELECT 1 FROM held_price h WHERE h.refresh_id = r.id)
          AND EXISTS (
            SELECT 1 FROM price_refresh later WHERE later.feed = r.feed AND later.requested_at > r.requested_at
              AND (r.state = 'failed' OR later.state = 'applied'))
        LIMIT ${most})`,
  );
  return held + refreshes;
}
