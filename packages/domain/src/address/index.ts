export * from "./address.ts";
export * from "./family.ts";
export * from "./public-address.ts";
export * from "./server-problem.ts";
