export { revokeAgent } from "./revoke.ts";
