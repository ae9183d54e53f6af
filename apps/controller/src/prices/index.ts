export { startPriceRefreshes } from "./start.ts";
