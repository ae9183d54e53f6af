import type { Tx } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain/cost";

type NewRefresh = { id: string; feed: PriceFeedName; isScheduled: boolean; requestedBy: string; now: Date };

/**
 * insertRefresh requests a feed to be read, unless that is already requested, and returns the id of the open refresh.
 */
export async function insertRefresh(tx: Tx, { id, feed, isScheduled, requestedBy, now }: NewRefresh): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO price_refresh AS r (id, feed, state, is_scheduled, requested_by, requested_at)
    VALUES (${id}, ${feed}, 'waiting', ${isScheduled}, ${requestedBy}, ${now})
    -- Changes nothing, but returns the existing row.
    ON CONFLICT (feed) WHERE state IN ('waiting', 'running') DO UPDATE SET requested_by = r.requested_by
    RETURNING id`;
  return row?.id ?? id;
}
