import type { ErrorCode, FieldProblem } from "@fairlead/domain";

/** A failed response: a message for users, and the fields it is about. */
export type Problem = { code: ErrorCode | "fault"; message: string; fields: FieldProblem[] };

/** The part of a tRPC error that is used. Any value can be thrown, so it is parsed carefully. */
type FailedAnswer = {
  message?: unknown;
  data?: { code?: unknown; outcome?: ErrorCode | null; fields?: FieldProblem[] } | null;
} | null;

const unreachable = "The control plane did not respond. Check your connection and that it is running, then try again.";

/** problemOf reads any error of a query or mutation. If there was no response, it is a connection problem. */
export function problemOf(error: unknown): Problem {
  const failed = error as FailedAnswer;
  if (!failed?.data || typeof failed.message !== "string" || !failed.message)
    return { code: "unavailable", message: unreachable, fields: [] };
  return { code: failed.data.outcome ?? "fault", message: failed.message, fields: failed.data.fields ?? [] };
}

/** explained replaces the message of a failed response with one that fits what the user did. */
export function explained(error: unknown, message: string): Error {
  return Object.assign(new Error(message, { cause: error }), { data: (error as FailedAnswer)?.data });
}

export function isSignedOut(error: unknown): boolean {
  return (error as FailedAnswer)?.data?.code === "UNAUTHORIZED";
}

/** isElsewhere: another tab has switched the session to another organisation than this page shows. */
export function isElsewhere(error: unknown): boolean {
  return (error as { data?: { outcome?: unknown } | null } | null)?.data?.outcome === "other-organization";
}

/** fieldErrors returns the first message of each field, by its path joined with dots. */
export function fieldErrors(problem: Problem): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of problem.fields) errors[path.join(".")] ??= message;
  return errors;
}
