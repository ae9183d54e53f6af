import { DomainError, type ErrorCode, type FieldProblem } from "@fairlead/domain";
import { describeOutage } from "@fairlead/services";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import type { Fault } from "./context.ts";

const trpcCodes = {
  invalid: "UNPROCESSABLE_CONTENT",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  "other-organization": "PRECONDITION_FAILED",
  "not-found": "NOT_FOUND",
  conflict: "CONFLICT",
  "precondition-failed": "PRECONDITION_FAILED",
  exhausted: "CONFLICT",
  "rate-limited": "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
} as const satisfies Record<ErrorCode, TRPCError["code"]>;

/**
 * translateError turns whatever a procedure threw into the error that its caller may see: a domain error as it is, bad
 * input with the paths of its fields, a database outage as unavailable, and anything else as one sentence.
 */
export function translateError(error: unknown, where: Omit<Fault, "error">, report: (fault: Fault) => void): TRPCError {
  const outcome = outcomeOf(error);
  if (outcome) return toTrpcError(outcome);
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  report({ ...where, error: cause });
  const message = `Internal error, logged as ${where.requestId}. If you were changing something, check whether the change was made before you retry.`;
  return new TRPCError({ code: "INTERNAL_SERVER_ERROR", message, cause });
}

export function toTrpcError(outcome: DomainError): TRPCError {
  return new TRPCError({ code: trpcCodes[outcome.code], message: outcome.message, cause: outcome });
}

function outcomeOf(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  if (!(error instanceof TRPCError)) return describeOutage(error);
  if (error.cause instanceof DomainError) return error.cause;
  // Only the input is the caller's fault: an output that fails its schema has the other code.
  if (error.code === "BAD_REQUEST" && error.cause instanceof ZodError) return invalidInput(error.cause);
  return describeOutage(error.cause);
}

/** invalidInput names the fields that a schema rejected. */
export function invalidInput(cause: ZodError): DomainError {
  const fields = cause.issues.flatMap((issue) => fieldProblems(issue));
  return new DomainError("invalid", summarize(fields), { fields, cause });
}

type Issue = ZodError["issues"][number];

function fieldProblems(issue: Issue): FieldProblem[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], message: "there is no such field" }));
  return [{ path, message: issue.message }];
}

/** summarize describes the problems in one line, for places that show no list. */
export function summarize(fields: FieldProblem[]): string {
  const [first, ...more] = fields;
  if (!first) return "Invalid input.";
  const where = first.path.length > 0 ? `${first.path.join(".")}: ` : "";
  const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
  return `${where}${first.message}${rest}`;
}
