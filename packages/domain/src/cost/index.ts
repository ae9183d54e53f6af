export { type MachineCost, type MachineOutlay, machineCostOf } from "./book/machine-cost.ts";
export * from "./book/negotiated-price.ts";
export * from "./book/own-machine.ts";
export { applyPriceBook, type PriceBook, type PriceList, withBookRates } from "./book/price-book.ts";
export * from "./book/stored-rate.ts";
export type { Curve, CurvePoint } from "./estimate/break-even.ts";
export * from "./estimate/estimate.ts";
export { drawCosts, estimateCosts } from "./estimate/estimate-costs.ts";
export { basisWords, isEnough } from "./estimate/fit.ts";
export * from "./estimate/grade.ts";
export { exampleBackends, type NoBalancer } from "./estimate/no-balancer.ts";
export { compareTraffic, type Sensitivity, timesTraffic } from "./estimate/sensitivity.ts";
export * from "./export/balancer-costs.ts";
export { costColumns, costRows } from "./export/cost-columns.ts";
export * from "./export/export-costs.ts";
export { focusColumns, focusRows } from "./export/focus-columns.ts";
export { type PriceMirrors, readPriceMirrors, readScheduledFeeds } from "./feeds/feed-settings.ts";
export { mostApart, mostMoved, type PricedItem } from "./feeds/hold-reasons.ts";
export {
  type Decided,
  type FeedRead,
  type Holding,
  type Judged,
  judgeRefresh,
  keyOfPriced,
} from "./feeds/judge-refresh.ts";
export * from "./feeds/price-refresh.ts";
export * from "./feeds/refresh-words.ts";
export * from "./meter/billing.ts";
export type { PricesThen } from "./meter/hour-charges.ts";
export * from "./meter/hours.ts";
export * from "./meter/meter-costs.ts";
export * from "./meter/metered-load.ts";
export * from "./meter/planned-cost.ts";
export * from "./meter/profile-usage.ts";
export * from "./meter/runs-as.ts";
export * from "./meter/usage.ts";
export * from "./offers/capacity-figure.ts";
export * from "./offers/constraint.ts";
export { listOffers, type SoldOffer, soldOffer } from "./offers/list-offers.ts";
export { machineSkus } from "./offers/machines.ts";
export { type BookMachine, type Catalogue, compileCatalogue } from "./prices/catalogue.ts";
export { exchangeTo } from "./prices/currency.ts";
export { currencyCode } from "./prices/currency-code.ts";
export * from "./prices/currency-rate.ts";
export * from "./prices/money.ts";
export { ageOfPrice, oldAfterDays, type PriceAge } from "./prices/price-age.ts";
export { datesOf, type PriceDates } from "./prices/price-dates.ts";
export { priceKey } from "./prices/price-key.ts";
export * from "./prices/price-point.ts";
export * from "./prices/price-words.ts";
export * from "./prices/providers.ts";
export { readPrices } from "./prices/read-prices.ts";
export { anyRegion, pricedRegions, widen as widenRegion } from "./prices/regions.ts";
export * from "./prices/stored-price.ts";
export * from "./traffic/hours-of-month.ts";
export * from "./traffic/load.ts";
export * from "./traffic/traffic-profile.ts";
