export { admitToCalculator } from "./admit-to-calculator.ts";
export { estimateCost } from "./estimate.ts";
export { listNewestPrices } from "./list-newest-prices.ts";
export { listOffers } from "./list-offers.ts";
export { listPricePoints } from "./list-price-points.ts";
export { selectNewestPrices } from "./newest-prices.sql.ts";
export type { OpenContext } from "./open-context.ts";
export { type PriceListed, takeInPrices } from "./take-in-prices.ts";
