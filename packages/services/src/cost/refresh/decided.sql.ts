import type { Tx } from "@fairlead/db";
import type { Decided, PriceFeedName } from "@fairlead/domain/cost";
import { pointsOf } from "./rows.ts";

/** selectDecided returns the last decision about each price of a feed. */
export async function selectDecided(tx: Tx, feed: PriceFeedName): Promise<Decided[]> {
  const rows = await tx.$queryRaw<{ key: string; after: unknown; isAccepted: boolean }[]>`
    SELECT DISTINCT ON (price_key) price_key AS key, after, state = 'accepted' AS "isAccepted" FROM held_price
    WHERE feed = ${feed} AND state IN ('accepted', 'rejected') ORDER BY price_key, decided_at DESC, id DESC`;
  return rows.map((row) => ({ ...row, after: pointsOf(row.after) }));
}
