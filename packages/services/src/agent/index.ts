export { revokeAgent } from "./revoke.ts";
export { updateAgent } from "./update.ts";
