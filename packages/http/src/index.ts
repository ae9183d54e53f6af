export * from "./errors.ts";
export * from "./open-http.ts";
export * from "./pace.ts";
export * from "./page-limit.ts";
export * from "./public-lookup.ts";
export * from "./read-body.ts";
export * from "./retry-after.ts";
