import { nestedErrors, sqlStateOf } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";

// Prisma: can't reach, timed out, closed, no free connection, transaction not started or expired, or in conflict with
// another after all retries.
const prismaCodes = ["P1000", "P1001", "P1002", "P1008", "P1011", "P1017", "P2024", "P2028", "P2034", "P2037"];
// PostgreSQL: connection exceptions (08…), too many connections, shutting down, crashed, starting, read-only after a
// failover.
const postgresCodes = ["53300", "57P01", "57P02", "57P03", "25006"];
const systemCodes = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"];
const codes = new Set([...prismaCodes, ...postgresCodes, ...systemCodes]);
// pg gives these no code.
const lostByDriver =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed) and is not queryable)/;

const tookTooLong = "57014";

/**
 * describeOutage returns the error to show when the database is unreachable or too slow, or null when an error is
 * something else.
 */
export function describeOutage(error: unknown): DomainError | null {
  if (sqlStateOf(error) === tookTooLong)
    return new DomainError(
      "unavailable",
      "The database took too long over this and was stopped. Request less at once, or try again shortly.",
      { cause: error, retryAfterSeconds: 10 },
    );
  if (!isOutage(error)) return null;
  return new DomainError("unavailable", "The database is unreachable. Traffic is not affected; try again shortly.", {
    cause: error,
    retryAfterSeconds: 2,
  });
}

function isOutage(error: unknown): boolean {
  return [...nestedErrors(error)].some(({ code, originalCode, message, kind }) => {
    if ([code, originalCode].some((each) => typeof each === "string" && (codes.has(each) || each.startsWith("08"))))
      return true;
    if (kind === "DatabaseNotReachable" || kind === "ConnectionClosed" || kind === "SocketTimeout") return true;
    return typeof message === "string" && lostByDriver.test(message);
  });
}
