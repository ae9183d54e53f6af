export { checkChoice, choose, makeChoice, scopeOf } from "./choose.ts";
export { gatherCandidates, type Scope } from "./gather.ts";
export { choicePermissions } from "./permissions.ts";
