import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import {
  forgetSignInAttempts,
  knownBrowserSeconds,
  markOfPassword,
  newKnownBrowser,
  sealKnownBrowser,
  takeSignInAttempt,
} from "@fairlead/services";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { clientAddressIn } from "../stamp-client-address.ts";
import { findKnownBrowser } from "./find-known-browser.ts";

const passwordPath = "/sign-in/email";
const cookieName = "known_browser";

/** guardSignIn counts every password attempt before the password is checked. */
export function guardSignIn(db: Db, secret: string) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath) return;
    const email = String(ctx.body?.email ?? "");
    const now = new Date();
    const presented = ctx.getCookie(ctx.context.createAuthCookie(cookieName).name);
    const known = await findKnownBrowser(db, secret, { presented, email }, now);
    const attempt = { email, address: addressOf(ctx.headers), knownClient: known?.browser ?? null };
    await takeSignInAttempt(db, attempt, now).catch((error: unknown) => {
      throw error instanceof DomainError ? toApiError(error) : error;
    });
  });
}

/** rememberSignIn clears the failed attempts after a successful sign-in, and makes the browser known. */
export function rememberSignIn(db: Db, secret: string) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath || !ctx.context.newSession) return;
    const { id, email } = ctx.context.newSession.user;
    const now = new Date();
    const cookie = ctx.context.createAuthCookie(cookieName, { maxAge: knownBrowserSeconds });
    const known = await findKnownBrowser(db, secret, { presented: ctx.getCookie(cookie.name), email }, now);
    await forgetSignInAttempts(db, { email, address: addressOf(ctx.headers), knownClient: known?.browser ?? null });
    const mark = (await markOfPassword(db, id)) ?? "";
    ctx.setCookie(cookie.name, sealKnownBrowser(secret, known ?? newKnownBrowser(id, mark), now), cookie.attributes);
  });
}

function addressOf(headers: Headers | undefined): string | null {
  return headers ? clientAddressIn(headers) : null;
}

function toApiError(error: DomainError): APIError {
  const seconds = String(error.retryAfterSeconds ?? 60);
  return new APIError(
    "TOO_MANY_REQUESTS",
    { code: "TOO_MANY_ATTEMPTS", message: error.message },
    { "retry-after": seconds },
  );
}
