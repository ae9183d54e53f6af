export * from "./address-map.ts";
export * from "./diff-mappings.ts";
export * from "./group-mappings.ts";
export * from "./map-access.ts";
export * from "./map-kinds.ts";
export * from "./try-mapping.ts";
export * from "./write-map.ts";
