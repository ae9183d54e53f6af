export { compareCosts } from "./compare-costs.ts";
export { type CostPages, exportCosts } from "./export-costs.ts";
export { listCosts } from "./list-costs.ts";
export { listUsage } from "./list-usage.ts";
export { planExposureCost } from "./plan-cost.ts";
export { recountUsage } from "./recount-usage.ts";
