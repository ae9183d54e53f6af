export * from "./metric.ts";
export * from "./metrics.ts";
export * from "./series.ts";
