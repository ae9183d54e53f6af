import type { Operation } from "./operation.ts";
import { RestError } from "./problem.ts";

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/** readIdempotencyKey returns the key of a create, or null. Other operations ignore the header. */
export function readIdempotencyKey(operation: Operation, headers: Headers): string | null {
  const text = headers.get("idempotency-key");
  if (text === null || operation.status !== 201) return null;
  if (idempotencyKeyPattern.test(text)) return text;
  const message = "expected 1 to 255 visible characters, such as a UUID";
  throw new RestError("malformed", `Idempotency-Key: ${message}.`, {
    errors: [{ in: "header", name: "Idempotency-Key", message }],
  });
}
