export * from "./overview.ts";
