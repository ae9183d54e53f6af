export { findEmbedded } from "./postgres/find-embedded.ts";
export { readSettings } from "./settings.ts";
