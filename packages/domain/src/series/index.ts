export * from "./metric.ts";
export * from "./metrics.ts";
export * from "./packed.ts";
export * from "./select-metrics.ts";
export * from "./series.ts";
