import "server-only";
import { describeOutage } from "@fairlead/services";
import { isAPIError } from "better-auth/api";
import { headers } from "next/headers";
import { auth } from "@/server/auth.ts";
import { log } from "@/server/log.ts";

/** signInPerson sets the session cookie, or returns why it can't. */
export async function signInPerson(email: string, password: string): Promise<string | null> {
  try {
    await auth().api.signInEmail({ body: { email, password }, headers: await headers() });
    return null;
  } catch (error) {
    return explain(error);
  }
}

/** explain turns a failure in an action of these pages into a message. Unexpected errors are logged. */
export function explain(error: unknown): string {
  if (isAPIError(error)) {
    if (error.statusCode === 401) return "Incorrect email or password.";
    if (error.statusCode < 500) return error.body?.message ?? "Sign-in failed. Try again.";
  }
  const outage = describeOutage(error);
  if (outage) return outage.message;
  log.error("fault", { operation: "sign-in", err: error });
  return "An internal error occurred and was logged. Try again shortly.";
}
