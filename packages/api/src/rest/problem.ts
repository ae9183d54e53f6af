import type { DomainError, ErrorCode } from "@fairlead/domain";
import { z } from "zod";

export const problemType = "application/problem+json";

export const fieldError = z
  .object({
    in: z.enum(["path", "query", "header", "body"]),
    name: z.string().optional().describe("Of the parameter or header."),
    pointer: z.string().optional().describe("JSON pointer into the body, as a URI fragment."),
    message: z.string(),
  })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof fieldError>;

/** RFC 9457, with the request's id and the invalid fields. */
export const problem = z
  .object({
    type: z.string().describe("What kind of problem, for programs: urn:fairlead:problem:…"),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("What happened and what to do, for users."),
    instance: z.string().describe("The id of this request; quote it when you ask for help."),
    errors: z.array(fieldError).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problem>;

/** Refusals that exist only in HTTP, in addition to the outcomes of the domain. */
export type HttpRefusal =
  | "malformed"
  | "no-such-path"
  | "method-not-allowed"
  | "not-acceptable"
  | "too-large"
  | "unsupported-media-type"
  | "broken";

export const problemKinds: Record<ErrorCode | HttpRefusal, { status: number; title: string }> = {
  malformed: { status: 400, title: "The request can't be read" },
  unauthenticated: { status: 401, title: "Sign in, or send an API key" },
  forbidden: { status: 403, title: "Not permitted" },
  "other-organization": { status: 412, title: "For another organisation" },
  "not-found": { status: 404, title: "Not found" },
  "no-such-path": { status: 404, title: "There is no such path" },
  "method-not-allowed": { status: 405, title: "This path does not support that method" },
  "not-acceptable": { status: 406, title: "Not available in that format" },
  conflict: { status: 409, title: "Conflict with existing data" },
  exhausted: { status: 409, title: "Nothing left to allocate" },
  "precondition-failed": { status: 412, title: "Changed since you read it" },
  "too-large": { status: 413, title: "The request is too large" },
  "unsupported-media-type": { status: 415, title: "Send JSON" },
  invalid: { status: 422, title: "Invalid input" },
  "rate-limited": { status: 429, title: "Too many requests" },
  broken: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Temporarily unavailable" },
};

/** RestError is a refusal, with everything that its response contains. */
export class RestError extends Error {
  readonly kind: keyof typeof problemKinds;
  readonly errors: FieldError[];
  readonly headers: Record<string, string>;

  constructor(
    kind: keyof typeof problemKinds,
    detail: string,
    more: { errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.name = "RestError";
    this.kind = kind;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}

export function problemResponse(error: RestError, requestId: string): Response {
  const { status, title } = problemKinds[error.kind];
  const body: Problem = {
    type: `urn:fairlead:problem:${error.kind}`,
    title,
    status,
    detail: error.message,
    instance: `urn:fairlead:request:${requestId}`,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": problemType, "cache-control": "no-store", "x-request-id": requestId, ...error.headers },
  });
}

/** toRestError translates a domain outcome to HTTP; `locate` returns where in the request a field came from. */
export function toRestError(outcome: DomainError, locate: (path: (string | number)[]) => Omit<FieldError, "message">) {
  const errors = outcome.fields.map(({ path, message }) => ({ ...locate(path), message }));
  const headers: Record<string, string> = {};
  if (outcome.code === "unauthenticated") headers["www-authenticate"] = 'Bearer realm="fairlead"';
  if (outcome.retryAfterSeconds !== undefined) headers["retry-after"] = String(outcome.retryAfterSeconds);
  else if (outcome.code === "rate-limited" || outcome.code === "unavailable") headers["retry-after"] = "2";
  return new RestError(outcome.code, outcome.message, { errors, headers });
}
