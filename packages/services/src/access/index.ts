export { type AuthenticatedKey, authenticateApiKey, UnknownApiKey } from "./api-key/authenticate.ts";
export { countRefusedKey } from "./api-key/count-refused-key.ts";
export { createApiKey } from "./api-key/create.ts";
export { listApiKeys } from "./api-key/list.ts";
export { revokeApiKey } from "./api-key/revoke.ts";
export {
  type Admission,
  admitIdentity,
  type ProvenIdentity,
  type Refusal,
  refusals,
} from "./identity-provider/admit.ts";
export { identityProviderBox, type OidcConfig } from "./identity-provider/config.ts";
export { createIdentityProvider } from "./identity-provider/create.ts";
export { deleteIdentityProvider } from "./identity-provider/delete.ts";
export { listIdentityProviders, listSignInProviders, type SignInProvider } from "./identity-provider/list.ts";
export { acceptInvitation } from "./invitation/accept.ts";
export {
  acceptInvitationAsNewUser,
  acceptInvitationWithPassword,
} from "./invitation/accept-signed-out.ts";
export { createInvitation } from "./invitation/create.ts";
export { deleteInvitation } from "./invitation/delete.ts";
export { findInvitation, type OpenInvitation } from "./invitation/find.ts";
export { listInvitations } from "./invitation/list.ts";
export { listMembers } from "./member/list.ts";
export { removeMember } from "./member/remove.ts";
export { updateMember } from "./member/update.ts";
export { markOfPassword } from "./password-user.ts";
export { changePassword } from "./session/change-password.ts";
export {
  countRefusedByProvider,
  countRefusedPassword,
  type RefusedByProvider,
  type RefusedPassword,
} from "./session/count-refused-sign-in.ts";
export { createFirstOwner, ensureFirstOwner, isSetUp } from "./session/first-owner.ts";
export { getSession } from "./session/get.ts";
export {
  type KnownBrowser,
  knownBrowserSeconds,
  newKnownBrowser,
  openKnownBrowser,
  sealKnownBrowser,
} from "./session/known-browser.ts";
export { type Authenticated, recheckSession, recheckSessions, type SessionNews } from "./session/recheck.ts";
export { recordSessionStart, recordSignOut, type SignInMethod } from "./session/record-session.ts";
export { type ResolvedSession, resolveSession } from "./session/resolve.ts";
export { forgetSignInAttempts, type SignInAttempt, takeSignInAttempt } from "./session/sign-in-allowance.ts";
export { switchOrganization } from "./session/switch-organization.ts";
export { sweepAccess } from "./sweep.sql.ts";
