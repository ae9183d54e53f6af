import type { Operation } from "../rest/operation.ts";
import { problemKinds, problemType } from "../rest/problem.ts";

type Kind = keyof typeof problemKinds;

/** The refusals of an operation, by status. 405 belongs to paths, not to operations. */
export function refusalsOf(
  operation: Pick<
    Operation,
    "method" | "hasBody" | "pathFields" | "takesGeneration" | "permissions" | "looksUp" | "status"
  >,
): Kind[] {
  const isChange = operation.method !== "GET";
  const kinds: [Kind, boolean][] = [
    ["malformed", true],
    ["unauthenticated", true],
    ["forbidden", isChange || operation.permissions.length > 0],
    ["not-found", isChange || Object.keys(operation.pathFields).length > 0 || operation.looksUp === true],
    ["not-acceptable", operation.status !== 204],
    ["conflict", isChange],
    ["precondition-failed", operation.takesGeneration],
    ["too-large", isChange],
    ["unsupported-media-type", isChange],
    ["invalid", true],
    ["rate-limited", true],
    ["broken", true],
    ["unavailable", true],
  ];
  return kinds.filter(([, applies]) => applies).map(([kind]) => kind);
}

export function refusals(kinds: Kind[]): Record<string, object> {
  const ours = kinds.map((kind): [string, object] => [
    String(problemKinds[kind].status),
    { $ref: `#/components/responses/${componentName(kind)}` },
  ]);
  return Object.fromEntries([...ours, ["431", { $ref: "#/components/responses/HeadersTooLarge" }]]);
}

/** headersTooLarge is returned by the HTTP server before any handler sees the request: it has no body and no name. */
const headersTooLarge = {
  description: "The address and the headers are longer than 16 KiB together. There is no body.",
};

/** problemResponses are the components that refusals refer to. */
export function problemResponses(): Record<string, object> {
  const ours = Object.entries(problemKinds).map(([kind, { status, title }]): [string, object] => [
    componentName(kind),
    {
      description: title,
      headers: { ...requestIdHeader, ...extraHeaders(kind) },
      content: {
        [problemType]: {
          schema: { $ref: "#/components/schemas/Problem" },
          example: {
            type: `urn:fairlead:problem:${kind}`,
            title,
            status,
            detail: "A sentence with what happened and what to do.",
            instance: "urn:fairlead:request:0f8e2c9a-6f0e-4b8e-9b8e-2f6f0c1d2e3f",
          },
        },
      },
    },
  ]);
  return Object.fromEntries([...ours, ["HeadersTooLarge", headersTooLarge]]);
}

function extraHeaders(kind: string): Record<string, object> {
  if (kind === "unauthenticated") return { "WWW-Authenticate": header("How to authenticate.", true) };
  if (kind === "rate-limited" || kind === "unavailable") return { "Retry-After": header("Seconds to wait.", true) };
  if (kind === "method-not-allowed") return { Allow: header("The methods that this path supports.", true) };
  return {};
}

function componentName(kind: string): string {
  return kind
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

export function header(description: string, required = false): object {
  return { description, required, schema: { type: "string" } };
}

export const requestIdHeader = { "X-Request-Id": header("Identifies this request in the log.", true) };
