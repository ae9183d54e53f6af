import type { Db } from "@fairlead/db";
import { feedProvider, type PriceFeedName, pricedRegions } from "@fairlead/domain";
import { selectNewestPrices } from "../prices-of.sql.ts";

/** listWantedRegions is where the catalogue has prices of a provider, so that a feed is asked for these. */
export async function listWantedRegions(db: Db, feed: PriceFeedName): Promise<string[]> {
  return pricedRegions(feedProvider(feed), await selectNewestPrices(db));
}
