import type { ErrorCode, FieldProblem } from "@fairlead/domain";

/** What an answer that failed says: one sentence for people, and which fields it is about. */
export type Problem = { code: ErrorCode | "fault"; message: string; fields: FieldProblem[] };

/** The part of a tRPC error that we read. Whatever is thrown is looked at with care: it may be no such error. */
type FailedAnswer = {
  message?: unknown;
  data?: { code?: unknown; outcome?: ErrorCode | null; fields?: FieldProblem[] } | null;
} | null;

const unreachable = "The control plane did not answer. Check your connection and that it is running, then try again.";

/** problemOf reads any error of a query or mutation. Without an answer at all it is the connection. */
export function problemOf(error: unknown): Problem {
  const failed = error as FailedAnswer;
  if (!failed?.data || typeof failed.message !== "string" || !failed.message)
    return { code: "unavailable", message: unreachable, fields: [] };
  return { code: failed.data.outcome ?? "fault", message: failed.message, fields: failed.data.fields ?? [] };
}

export function isSignedOut(error: unknown): boolean {
  return (error as FailedAnswer)?.data?.code === "UNAUTHORIZED";
}

/** isElsewhere: another tab has switched the session to another organisation than this page shows. */
export function isElsewhere(error: unknown): boolean {
  return (error as { data?: { outcome?: unknown } | null } | null)?.data?.outcome === "other-organization";
}

/** fieldErrors keys the first message of each field by its path, joined by dots. */
export function fieldErrors(problem: Problem): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of problem.fields) errors[path.join(".")] ??= message;
  return errors;
}
