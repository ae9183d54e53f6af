/** Error codes. Each API edge translates them to its own. */
export type ErrorCode =
  | "invalid" // the input is wrong in any state
  | "unauthenticated" // no session, or one that ended
  | "forbidden" // signed in, without the permission
  | "other-organization" // the session is in another organisation than the page
  | "not-found"
  | "conflict" // valid, but it conflicts with the present state
  | "precondition-failed" // changed by another request since it was read
  | "exhausted" // a pool or a quota
  | "rate-limited"
  | "unavailable"; // temporary: try again

export type FieldProblem = { path: (string | number)[]; message: string };

/** DomainError is an expected failure. Its message is shown to users; its cause is only logged. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; fields?: FieldProblem[]; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export function invalid(path: (string | number)[], message: string): DomainError {
  return new DomainError("invalid", message, { fields: [{ path, message }] });
}

/** notFound takes a path if the id came from a field of the input. */
export function notFound(what: string, id: string, path: (string | number)[] = []): DomainError {
  const message = `There is no ${what} ${id}.`;
  return new DomainError("not-found", message, path.length > 0 ? { fields: [{ path, message }] } : {});
}

export function conflict(message: string, path: (string | number)[] = []): DomainError {
  return new DomainError("conflict", message, path.length > 0 ? { fields: [{ path, message }] } : {});
}
