import type { Db } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { PriceFeedName } from "@fairlead/domain/cost";

/** Providers publish new prices some times a week; reading once a day misses little. */
const everyMs = 24 * 3_600_000;
export const scheduleName = "the schedule";

/**
 * schedulePriceRefreshes requests each feed that was not requested in a day, however many controllers do so, and
 * returns how many.
 */
export async function schedulePriceRefreshes(db: Db, feeds: readonly PriceFeedName[], now: Date): Promise<number> {
  if (feeds.length === 0) return 0;
  const ids = feeds.map(() => newId("priceRefresh", now));
  return db.$executeRaw`
    INSERT INTO price_refresh (id, feed, state, is_scheduled, requested_by, requested_at)
    SELECT due.id, due.feed, 'waiting', true, ${scheduleName}, ${now}
    FROM unnest(${ids}::text[], ${[...feeds]}::text[]) AS due (id, feed)
    WHERE NOT EXISTS (
      SELECT 1 FROM price_refresh r WHERE r.feed = due.feed AND r.requested_at > ${new Date(now.getTime() - everyMs)})
    ON CONFLICT (feed) WHERE state IN ('waiting', 'running') DO NOTHING`;
}
