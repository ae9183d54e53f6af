export * from "./address-pool.ts";
