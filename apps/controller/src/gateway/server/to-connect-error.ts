import { Code, ConnectError } from "@connectrpc/connect";
import { DomainError, type ErrorCode } from "@fairlead/domain";
import { describeOutage } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";

// Agents act on the code: invalid drops the report, unauthenticated and forbidden stop reports, all others are temporary.
const codes: Record<ErrorCode, Code> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  forbidden: Code.PermissionDenied,
  "other-organization": Code.PermissionDenied,
  "not-found": Code.NotFound,
  conflict: Code.FailedPrecondition,
  "precondition-failed": Code.FailedPrecondition,
  exhausted: Code.ResourceExhausted,
  "rate-limited": Code.ResourceExhausted,
  unavailable: Code.Unavailable,
};

/** toConnectError is the only place that translates errors for agents. Unexpected errors are logged and not disclosed. */
export function toConnectError(error: unknown, log: Log): ConnectError {
  if (error instanceof ConnectError) return error;
  const planned = error instanceof DomainError ? error : describeOutage(error);
  if (!planned) {
    log.error("a call failed", { err: error });
    return new ConnectError(
      "An internal error occurred in the control plane; see its log. Try again later.",
      Code.Internal,
    );
  }
  const { retryAfterSeconds } = planned;
  const metadata = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return new ConnectError(planned.message, codes[planned.code], metadata);
}
