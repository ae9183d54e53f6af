export { Edge, problem } from "./edge.ts";
export { aMap, exposureId, oneInstance, until } from "./maps.ts";
export { keysOfAllSlots } from "./slot-keys.ts";
