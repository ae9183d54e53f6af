export { listCosts } from "./list-costs.ts";
export { listUsage } from "./list-usage.ts";
