export { checkChoice, choose, makeChoice, scopeOf } from "./choose.ts";
export { type Fleet, fleetScopeOf, gatherCandidates, readFleet } from "./gather.ts";
export { choicePermissions } from "./permissions.ts";
