import { sso } from "@better-auth/sso";
import type { Db } from "@fairlead/db";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { isAPIError } from "better-auth/api";
import { nextCookies } from "better-auth/next-js";
import { authDb } from "./auth-db.ts";
import { guardSignIn, welcomeBack } from "./guard-sign-in.ts";
import { resolveUser } from "./resolve-user.ts";
import { startSession } from "./start-session.ts";
import { trustedOrigins } from "./trusted-origins.ts";

const day = 24 * 3600;

export type AuthSettings = { db: Db; secret: string; url: string };
export type Auth = ReturnType<typeof createAuth>;

/**
 * createAuth sets up better-auth for what it is good at: passwords, sessions, cookies and the OpenID Connect dance.
 * Who becomes a member, and of what, is decided by verbs in services (docs/decisions/0003-access-verbs.md).
 */
export function createAuth({ db, secret, url }: AuthSettings) {
  const store = authDb(db, secret);
  return betterAuth({
    appName: "Fairlead",
    baseURL: url,
    secret,
    database: prismaAdapter(store.client, { provider: "postgresql", transaction: true }),
    trustedOrigins: (request) => trustedOrigins(store.client, url, request),
    // Accounts are made by the first set-up, by invitations and by providers, never by whoever comes along.
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 8, maxPasswordLength: 128 },
    session: {
      expiresIn: 7 * day,
      updateAge: day,
      additionalFields: {
        activeOrganizationId: { type: "string", required: false, input: false },
        boundOrganizationId: { type: "string", required: false, input: false },
      },
    },
    account: { updateAccountOnSignIn: false },
    databaseHooks: {
      session: { create: { before: (session) => startSession(store, db, session) } },
      account: { create: { before: async (account) => ({ data: { ...account, ...withoutTokens } }) } },
    },
    hooks: { before: guardSignIn(db), after: welcomeBack(db) },
    rateLimit: { enabled: false }, // guardSignIn does it: over all processes, and by e-mail address too
    advanced: {
      useSecureCookies: url.startsWith("https:"),
      cookiePrefix: "fairlead",
      disableOriginCheck: false, // said, because better-auth switches it off in tests unless it is said
      disableCSRFCheck: false,
    },
    onAPIError: { errorURL: `${url}/sign-in`, onError: (error) => reportFault("request failed", error) },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...more) => reportFault(message, ...more) },
    plugins: [
      sso({
        trustEmailVerified: true,
        resolveUser: (input) => resolveUser(store, input),
        organizationProvisioning: { disabled: true },
      }),
      nextCookies(),
    ],
  });
}

/** We ask a provider who somebody is, once. Its tokens are of no further use to us, so nobody can steal them here. */
const withoutTokens = { accessToken: null, refreshToken: null, idToken: null };

/** One line for each fault, without a stack and without what a browser sent. A refusal is an answer, not a fault. */
function reportFault(...told: unknown[]): void {
  const error = told.find((each) => each instanceof Error);
  if (isAPIError(error) && error.statusCode < 500) return;
  const text = told.find((each) => typeof each === "string");
  console.error("sign-in:", text ?? "", error instanceof Error ? error.message : "");
}
