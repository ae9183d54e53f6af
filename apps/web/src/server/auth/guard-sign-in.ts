import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { takeSignInAttempt } from "@fairlead/services";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { clientAddressIn } from "../stamp-client-address.ts";
import { countPassword } from "./count-refused.ts";
import { findKnownBrowser } from "./find-known-browser.ts";

export const passwordPath = "/sign-in/email";
export const knownBrowserCookie = "known_browser";

/** guardSignIn counts every password attempt before the password is checked. */
export function guardSignIn(db: Db, secret: string) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath) return;
    const email = String(ctx.body?.email ?? "");
    const now = new Date();
    const presented = ctx.getCookie(ctx.context.createAuthCookie(knownBrowserCookie).name);
    const known = await findKnownBrowser(db, secret, { presented, email }, now);
    const attempt = { email, address: addressOf(ctx.headers), knownClient: known?.browser ?? null };
    await takeSignInAttempt(db, attempt, now).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      countPassword(db, { email, address: attempt.address, reason: "too-many-attempts" });
      throw toApiError(error);
    });
  });
}

export function addressOf(headers: Headers | undefined): string | null {
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
