import { createLoader, parseAsString } from "nuqs/server";

export const priceParams = {
  /** The refresh whose held prices are shown; absent for all held prices. */
  refresh: parseAsString,
};
export const loadPriceParams = createLoader(priceParams);

export const shown = 50;
export const refreshesInput = { limit: shown };
/** At most one refresh per feed has held prices: a later one replaces those of the earlier. */
export const heldInput = { state: ["held" as const], limit: 10 };
