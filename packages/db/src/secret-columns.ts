/**
 * secretColumns are omitted from results unless a query selects them by name, so that no secret leaves the database
 * with a whole row. Sealed columns are among them: a sealed value that is shown or logged can be tried offline.
 */
export const secretColumns = {
  account: { password: true, accessToken: true, refreshToken: true, idToken: true },
  apiKey: { keyHash: true },
  certificateAuthority: { encryptedKey: true },
  cloudMetrics: { credentials: true },
  cloudRoute: { credentials: true, appliedCredentials: true },
  cluster: { routingPassword: true },
  enrollmentToken: { secretHash: true },
  invitation: { tokenHash: true },
  kubernetesAccess: { sealed: true },
  session: { token: true },
  sessionKey: { sealed: true },
  ssoProvider: { oidcConfig: true, samlConfig: true },
  ticketSecret: { sealed: true },
  verification: { value: true },
} as const;
