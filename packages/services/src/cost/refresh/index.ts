export { type ClaimedRefresh, claimPriceRefresh } from "./claim.sql.ts";
export { acceptHeldPrices, rejectHeldPrices } from "./decide.ts";
export { type FeedOutcome, finishPriceRefresh } from "./finish.ts";
export { getPriceRefresh } from "./get.ts";
export { listPriceRefreshes } from "./list.ts";
export { schedulePriceRefreshes } from "./schedule.sql.ts";
export { startPriceRefresh } from "./start.ts";
export { sweepRefreshes } from "./sweep.sql.ts";
export { listWantedRegions } from "./wanted.ts";
