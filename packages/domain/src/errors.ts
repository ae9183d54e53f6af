/** What went wrong, in the one vocabulary that every edge translates. */
export type ErrorCode =
  | "invalid" // the input can't be right, whatever the state
  | "unauthenticated" // nobody, or a session that ended
  | "forbidden" // somebody, who may not
  | "other-organization" // somebody whose session is in another organisation than the page they act on
  | "not-found"
  | "conflict" // right in itself, but not with what is there
  | "precondition-failed" // somebody else changed it since
  | "exhausted" // a pool, a quota
  | "rate-limited"
  | "unavailable"; // weather: try again

export type FieldProblem = { path: (string | number)[]; message: string };

/** DomainError is an outcome that we planned for. Its message is for people; its cause is for us and never shown. */
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

/** notFound; with a path where the id came from a field of the input. */
export function notFound(what: string, id: string, path: (string | number)[] = []): DomainError {
  const message = `There is no ${what} ${id}.`;
  return new DomainError("not-found", message, path.length > 0 ? { fields: [{ path, message }] } : {});
}

export function conflict(message: string, path: (string | number)[] = []): DomainError {
  return new DomainError("conflict", message, path.length > 0 ? { fields: [{ path, message }] } : {});
}
