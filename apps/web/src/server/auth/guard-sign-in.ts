import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { forgetSignInAttempts, takeSignInAttempt } from "@fairlead/services";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { clientAddressIn } from "../know-clients.ts";

const passwordPath = "/sign-in/email";

/** guardSignIn counts every attempt at a password before it is looked at. */
export function guardSignIn(db: Db) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath) return;
    const email = String(ctx.body?.email ?? "");
    const address = ctx.headers ? clientAddressIn(ctx.headers) : null;
    await takeSignInAttempt(db, { email, address }, new Date()).catch((error: unknown) => {
      throw error instanceof DomainError ? toApiError(error) : error;
    });
  });
}

/** welcomeBack forgets the wrong attempts of somebody who knew the password in the end. */
export function welcomeBack(db: Db) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== passwordPath || !ctx.context.newSession) return;
    await forgetSignInAttempts(db, ctx.context.newSession.user.email);
  });
}

function toApiError(error: DomainError): APIError {
  const seconds = String(error.retryAfterSeconds ?? 60);
  return new APIError(
    "TOO_MANY_REQUESTS",
    { code: "TOO_MANY_ATTEMPTS", message: error.message },
    { "retry-after": seconds },
  );
}
