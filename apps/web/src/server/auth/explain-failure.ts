import { DomainError } from "@fairlead/domain";
import { describeOutage } from "@fairlead/services";
import { isAPIError } from "better-auth/api";
import { log } from "../log.ts";

/** explainFailure turns a failure in an action of the sign-in pages into a message. Unexpected errors are logged. */
export function explainFailure(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  if (isAPIError(error)) {
    if (error.statusCode === 401) return "Incorrect email or password.";
    if (error.statusCode < 500) return error.body?.message ?? "Sign-in failed. Try again.";
  }
  const outage = describeOutage(error);
  if (outage) return outage.message;
  log.error("fault", { operation: "sign-in", err: error });
  return "An internal error occurred and was logged. Try again shortly.";
}
