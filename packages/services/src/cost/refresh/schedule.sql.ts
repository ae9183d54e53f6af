import type { Db } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { PriceFeedName } from "@fairlead/domain/cost";

/** Providers publish anew some times a week; who asks once a day misses little. */
const everyMs = 24 * 3_600_000;
export const scheduleName = "the schedule";

/** schedulePriceRefreshes asks for each feed that nobody has asked for in a day, however many controllers do so, and answers how many. */
export async function schedulePriceRefreshes(db: Db, feeds: readonly PriceFeedName[], now: Date): Promise<number> {
  if (feeds.length === 0) return 0;
  const ids = feeds.map(() => newId("priceRefresh", now));
  return db.$executeRaw`
    INSERT INTO price_refresh (id, feed, state, is_scheduled, asked_by, asked_at)
    SELECT due.id, due.feed, 'waiting', true, ${scheduleName}, ${now}
    FROM unnest(${ids}::text[], ${[...feeds]}::text[]) AS due (id, feed)
    WHERE NOT EXISTS (
      SELECT 1 FROM price_refresh r WHERE r.feed = due.feed AND r.asked_at > ${new Date(now.getTime() - everyMs)})
    ON CONFLICT (feed) WHERE state IN ('waiting', 'running') DO NOTHING`;
}
