export * from "./cluster.ts";
export * from "./cluster-kinds.ts";
export * from "./enrollment-token.ts";
export * from "./inventory.ts";
export * from "./inventory-kinds.ts";
export * from "./setting-path.ts";
