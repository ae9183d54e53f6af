export * from "./cloud-endpoint.ts";
export * from "./cloud-metrics.ts";
export * from "./cloud-route.ts";
export * from "./cloud-states.ts";
export * from "./describe-cloud-route-effects.ts";
export * from "./place-cloud-addresses.ts";
