import type { Tx } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain/cost";
import type { ClaimedRefresh } from "./claim.sql.ts";

/** lockRefresh serialises decisions with each other and with the next read of the feed. */
export async function lockRefresh(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM price_refresh WHERE id = ${id} FOR UPDATE`;
}

/**
 * lockHeldRefreshes waits for open decisions about earlier refreshes: until they commit, the current prices are not
 * final.
 */
export async function lockHeldRefreshes(tx: Tx, feed: PriceFeedName): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM price_refresh WHERE feed = ${feed} AND state = 'held' ORDER BY id FOR UPDATE`;
}

/** lockClaimed locks a refresh if it is still this controller's to finish, and returns whether it is. */
export async function lockClaimed(tx: Tx, { id, attempt }: ClaimedRefresh): Promise<boolean> {
  const [mine] = await tx.$queryRaw<object[]>`
    SELECT 1 FROM price_refresh WHERE id = ${id} AND state = 'running' AND attempt = ${attempt} FOR UPDATE`;
  return mine !== undefined;
}
