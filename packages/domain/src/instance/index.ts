export * from "./hide-addresses.ts";
export * from "./instance.ts";
export * from "./map-carried.ts";
export * from "./match-instances.ts";
export * from "./reach-instance.ts";
