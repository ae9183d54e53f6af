import { sso } from "@better-auth/sso";
import type { Db } from "@fairlead/db";
import { describeOutage } from "@fairlead/services";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, isAPIError } from "better-auth/api";
import { nextCookies } from "better-auth/next-js";
import { auditSignOut } from "./audit-sign-out.ts";
import { authDb } from "./auth-db.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { guardSignIn } from "./guard-sign-in.ts";
import { resolveUser } from "./resolve-user.ts";
import { auditPasswordSignIn, startSession } from "./start-session.ts";
import { trustedOrigins } from "./trusted-origins.ts";

const day = 24 * 3600;

export type AuthSettings = {
  db: Db;
  secret: string;
  url: string;
  /** Servers that identity providers may use although they are not on the internet. */
  oidcEndpoints?: readonly string[];
};
export type Auth = ReturnType<typeof createAuth>;

/**
 * createAuth configures better-auth for passwords, sessions, cookies and the OpenID Connect flow. Services decide who
 * becomes a member of which organisation (docs/decisions/0003-access-verbs.md).
 */
export function createAuth({ db, secret, url, oidcEndpoints = [] }: AuthSettings) {
  const store = authDb(db, secret);
  return betterAuth({
    appName: "Fairlead",
    baseURL: url,
    secret,
    database: prismaAdapter(store.client, { provider: "postgresql", transaction: true }),
    trustedOrigins: (request) => trustedOrigins(url, oidcEndpoints, request),
    // Accounts are created by the first set-up, by invitations and by providers. There is no open registration.
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
      session: {
        create: {
          before: (session, ctx) => startSession(store, db, session, ctx?.headers),
          after: (session) => auditPasswordSignIn(db, session),
        },
        delete: { after: (session, ctx) => auditSignOut(db, session, ctx) },
      },
      account: { create: { before: async (account) => ({ data: { ...account, ...withoutTokens } }) } },
    },
    hooks: { before: guardSignIn(db, secret), after: finishSignIn(db, secret) },
    rateLimit: { enabled: false }, // guardSignIn does it: across all processes, and by email address too
    advanced: {
      ipAddress: { disableIpTracking: true }, // it would read headers that clients write; startSession records the address
      useSecureCookies: url.startsWith("https:"),
      cookiePrefix: "fairlead",
      disableOriginCheck: false, // explicit, because better-auth disables it in tests by default
      disableCSRFCheck: false,
    },
    onAPIError: { errorURL: `${url}/sign-in`, onError: answerFault },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...more) => reportFault(message, ...more) },
    plugins: [
      sso({
        trustEmailVerified: true,
        resolveUser: (input) => resolveUser(store, db, input),
        organizationProvisioning: { disabled: true },
      }),
      nextCookies(),
    ],
  });
}

/**
 * The provider identifies the user once. Its tokens are not needed afterwards, so they are not stored and can't be
 * stolen.
 */
const withoutTokens = { accessToken: null, refreshToken: null, idToken: null };

/** better-auth answers with an API error that is thrown here, and with 500 otherwise. */
function answerFault(error: unknown): void {
  const outage = isAPIError(error) ? null : describeOutage(error);
  if (!outage) {
    reportFault("request failed", error);
    return;
  }
  const seconds = String(outage.retryAfterSeconds ?? 2);
  throw new APIError(
    "SERVICE_UNAVAILABLE",
    { code: "UNAVAILABLE", message: outage.message },
    { "retry-after": seconds },
  );
}

/** One line per fault, without a stack and without browser input. A rejected sign-in is not a fault. */
function reportFault(...args: unknown[]): void {
  const error = args.find((each) => each instanceof Error);
  if (isAPIError(error) && error.statusCode < 500) return;
  const text = args.find((each) => typeof each === "string");
  console.error("sign-in:", text ?? "", error instanceof Error ? error.message : "");
}
