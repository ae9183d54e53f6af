export { type AuthenticatedKey, authenticateApiKey } from "./api-key/authenticate.ts";
export { isSessionLive } from "./session/is-live.ts";
export { type ResolvedSession, resolveSession } from "./session/resolve.ts";
