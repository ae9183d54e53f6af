import type { PricePoint } from "@fairlead/domain";
import { selectNewestPrices } from "./newest-prices.sql.ts";
import type { OpenContext } from "./open-context.ts";

/** listNewestPrices answers all that an estimate rests on, for whoever reckons for themselves. */
export function listNewestPrices({ db }: OpenContext): Promise<PricePoint[]> {
  return selectNewestPrices(db);
}
