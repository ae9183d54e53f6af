import type { Db } from "@fairlead/db";
import { type PriceFeedName, pricedRegions, priceFeeds } from "@fairlead/domain/cost";
import { selectNewestPrices } from "../prices-of.sql.ts";

/** listWantedRegions is where the catalogue has prices of a provider, so that a feed is asked for these. */
export async function listWantedRegions(db: Db, feed: PriceFeedName): Promise<string[]> {
  return pricedRegions(priceFeeds[feed].provider, await selectNewestPrices(db));
}
