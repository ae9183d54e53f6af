export * from "./estimate.ts";
export * from "./load.ts";
export * from "./money.ts";
export * from "./price-point.ts";
export * from "./traffic-profile.ts";
