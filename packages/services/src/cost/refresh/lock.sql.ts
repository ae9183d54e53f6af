import type { Tx } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain/cost";
import type { ClaimedRefresh } from "./claim.sql.ts";

/** lockRefresh orders two who decide at once, and whoever reads the feed anew. */
export async function lockRefresh(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM price_refresh WHERE id = ${id} FOR UPDATE`;
}

/** lockHeldRefreshes waits for whoever decides about an earlier one: before they are done, nobody knows what counts. */
export async function lockHeldRefreshes(tx: Tx, feed: PriceFeedName): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM price_refresh WHERE feed = ${feed} AND state = 'held' ORDER BY id FOR UPDATE`;
}

/** lockClaimed holds a refresh that is still this controller's to end, and answers whether it is. */
export async function lockClaimed(tx: Tx, { id, attempt }: ClaimedRefresh): Promise<boolean> {
  const [mine] = await tx.$queryRaw<object[]>`
    SELECT 1 FROM price_refresh WHERE id = ${id} AND state = 'running' AND attempt = ${attempt} FOR UPDATE`;
  return mine !== undefined;
}
