import { createLoader, parseAsString } from "nuqs/server";

export const priceParams = {
  /** The refresh whose held prices are shown; absent for all that wait. */
  refresh: parseAsString,
};
export const loadPriceParams = createLoader(priceParams);

export const shown = 50;
export const refreshesInput = { limit: shown };
/** One of each feed at most waits: what was held before, a later one has let go. */
export const heldInput = { state: ["held" as const], limit: 10 };
