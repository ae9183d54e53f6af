export { findEmbedded } from "./find-embedded.ts";
export { readSettings } from "./settings.ts";
