export * from "./compare-with-rap.ts";
export * from "./decide-rap.ts";
export * from "./resource-metrics.ts";
