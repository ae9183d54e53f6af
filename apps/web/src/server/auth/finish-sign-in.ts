import type { Db } from "@fairlead/db";
import {
  forgetSignInAttempts,
  knownBrowserSeconds,
  markOfPassword,
  newKnownBrowser,
  refusals,
  sealKnownBrowser,
} from "@fairlead/services";
import { createAuthMiddleware, getOAuthState, isAPIError } from "better-auth/api";
import { countByProvider, countPassword, countUnstarted } from "./count-refused.ts";
import { findKnownBrowser } from "./find-known-browser.ts";
import { addressOf, knownBrowserCookie, passwordPath } from "./guard-sign-in.ts";

const callbackPath = "/sso/callback/:providerId";

/**
 * finishSignIn clears the failed attempts after a successful sign-in with a password, and makes the browser known. It counts
 * failed sign-ins.
 */
export function finishSignIn(db: Db, secret: string) {
  return createAuthMiddleware(async (ctx) => {
    const { newSession, returned } = ctx.context;
    const address = addressOf(ctx.headers);
    if (ctx.path === callbackPath && !newSession) {
      const provider = String(ctx.params?.providerId);
      return countFailedCallback(db, { provider, address, returned, isStarted: await isStartedWith(provider) });
    }
    if (ctx.path !== passwordPath) return;
    if (!newSession) return countFailedPassword(db, { email: String(ctx.body?.email ?? ""), address, returned });
    const { id, email } = newSession.user;
    const now = new Date();
    const cookie = ctx.context.createAuthCookie(knownBrowserCookie, { maxAge: knownBrowserSeconds });
    const known = await findKnownBrowser(db, secret, { presented: ctx.getCookie(cookie.name), email }, now);
    await forgetSignInAttempts(db, { email, address, knownClient: known?.browser ?? null });
    const mark = (await markOfPassword(db, id)) ?? "";
    ctx.setCookie(cookie.name, sealKnownBrowser(secret, known ?? newKnownBrowser(id, mark), now), cookie.attributes);
  });
}

function countFailedPassword(db: Db, failed: { email: string; address: string | null; returned: unknown }): void {
  const { email, address, returned } = failed;
  if (isAPIError(returned) && returned.statusCode === 401)
    countPassword(db, { email, address, reason: "incorrect-password" });
}

/** Whether this browser started the sign-in that calls back, with the same provider. */
async function isStartedWith(provider: string): Promise<boolean> {
  // better-auth sets the state only once it was found valid.
  const state = await getOAuthState();
  const reference = state?.serverContext?.ssoProviderReference as { providerId?: unknown } | undefined;
  return reference?.providerId === provider;
}

type FailedCallback = { provider: string; address: string | null; returned: unknown; isStarted: boolean };

/** A failed callback redirects to the sign-in page with an error code. resolveUser counts the refusals of our own verbs. */
function countFailedCallback(db: Db, { provider, address, returned, isStarted }: FailedCallback): void {
  const location = isAPIError(returned) ? new Headers(returned.headers).get("location") : null;
  const error = location ? new URL(location, "http://relative").searchParams.get("error") : null;
  if (error === null || refusals.some((refusal) => refusal === error)) return;
  if (!isStarted) {
    countUnstarted("failed");
    return;
  }
  // A client can write any text in its callback.
  const details = /^\w{1,40}$/.test(error) ? { error } : {};
  countByProvider(db, { provider, identity: null, address, reason: "failed", details });
}
