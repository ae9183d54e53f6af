export * from "./statistics.ts";
