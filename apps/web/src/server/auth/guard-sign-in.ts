import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { forgetSignInAttempts, takeSignInAttempt } from "@fairlead/services";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { clientAddressIn } from "../stamp-client-address.ts";

const passwordPath = "/sign-in/email";

/** guardSignIn counts every password attempt before the password is checked. */
export function guardSignIn(db: Db) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath) return;
    const attempt = attemptOf(String(ctx.body?.email ?? ""), ctx.headers);
    await takeSignInAttempt(db, attempt, new Date()).catch((error: unknown) => {
      throw error instanceof DomainError ? toApiError(error) : error;
    });
  });
}

/** clearFailedAttempts clears the failed attempts after a successful sign-in. */
export function clearFailedAttempts(db: Db) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath || !ctx.context.newSession) return;
    await forgetSignInAttempts(db, attemptOf(ctx.context.newSession.user.email, ctx.headers));
  });
}

function attemptOf(email: string, headers: Headers | undefined) {
  return { email, address: headers ? clientAddressIn(headers) : null };
}

function toApiError(error: DomainError): APIError {
  const seconds = String(error.retryAfterSeconds ?? 60);
  return new APIError(
    "TOO_MANY_REQUESTS",
    { code: "TOO_MANY_ATTEMPTS", message: error.message },
    { "retry-after": seconds },
  );
}
