import { Code, ConnectError } from "@connectrpc/connect";
import { DomainError, type ErrorCode } from "@fairlead/domain";
import { describeOutage } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";

// Agents go by the code: invalid drops the report, unauthenticated and forbidden make them quiet, all else is weather.
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

/** toConnectError is the one place where outcomes become answers. What we did not plan for is logged and not shown. */
export function toConnectError(error: unknown, log: Log): ConnectError {
  if (error instanceof ConnectError) return error;
  const planned = error instanceof DomainError ? error : describeOutage(error);
  if (!planned) {
    log.error("a call failed", { err: error });
    return new ConnectError("The control plane failed on this call; its log says why. Try again later.", Code.Internal);
  }
  const { retryAfterSeconds } = planned;
  const metadata = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return new ConnectError(planned.message, codes[planned.code], metadata);
}
