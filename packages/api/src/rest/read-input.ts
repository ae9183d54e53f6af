import { readIfMatch } from "./entity-tag.ts";
import type { Operation } from "./operation.ts";
import { type FieldError, RestError } from "./problem.ts";
import { readBody, toPointer } from "./read-body.ts";
import { readQuery } from "./read-query.ts";

/**
 * readInput collects the input of a procedure from path, query, body and If-Match. The procedure's own schema validates
 * it.
 */
export async function readInput(
  operation: Operation,
  request: Request,
  params: Record<string, string>,
  query: URLSearchParams,
): Promise<Record<string, unknown>> {
  const fromQuery = readQuery(operation, query);
  const fromBody = request.method === "GET" || request.method === "HEAD" ? {} : await readBody(operation, request);
  return { ...fromQuery, ...fromBody, ...readPrecondition(operation, request), ...params };
}

function readPrecondition(operation: Operation, request: Request): { expectedGeneration?: number } {
  const header = request.headers.get("if-match");
  if (header === null || operation.method === "GET") return {};
  if (!operation.takesGeneration) {
    // Ignoring the header would suggest a protection that doesn't exist.
    const message = "this can't be guarded by If-Match; leave it out";
    throw new RestError("malformed", `If-Match: ${message}.`, {
      errors: [{ in: "header", name: "If-Match", message }],
    });
  }
  const expectedGeneration = readIfMatch(header);
  return expectedGeneration === undefined ? {} : { expectedGeneration };
}

/** locate returns where in the request a field of the input came from. */
export function locate(operation: Operation, path: (string | number)[]): Omit<FieldError, "message"> {
  const name = String(path[0] ?? "");
  if (Object.hasOwn(operation.pathFields, name)) return { in: "path", name };
  if (Object.hasOwn(operation.queryFields, name)) return { in: "query", name };
  if (name === "expectedGeneration") return { in: "header", name: "If-Match" };
  if (name === "Idempotency-Key") return { in: "header", name };
  return { in: "body", pointer: toPointer(path) };
}
