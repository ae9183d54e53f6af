import type { Db } from "@fairlead/db";
import { type PriceFeedName, pricedRegions, priceFeeds } from "@fairlead/domain/cost";
import { selectNewestPrices } from "../prices-of.sql.ts";

/** listWantedRegions returns the regions in which the catalogue has prices of a provider, for a feed to read. */
export async function listWantedRegions(db: Db, feed: PriceFeedName): Promise<string[]> {
  return pricedRegions(priceFeeds[feed].provider, await selectNewestPrices(db));
}
