export * from "./address.ts";
export * from "./family.ts";
export * from "./hide-addresses.ts";
export * from "./public-address.ts";
export * from "./server-problem.ts";
