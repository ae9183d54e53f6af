import { maxBodyBytes } from "./max-body-bytes.ts";
import type { Operation } from "./operation.ts";
import { RestError } from "./problem.ts";

/**
 * readBody returns the fields of a JSON body. A missing body counts as an empty one: the schema reports what is
 * missing.
 */
export async function readBody(operation: Operation, request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  if (!operation.hasBody)
    throw new RestError("malformed", "This takes no body.", {
      errors: [{ in: "body", pointer: "#", message: "expected none" }],
    });
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type))
    throw new RestError(
      "unsupported-media-type",
      `The body must be application/json, not ${type || "of no named type"}.`,
      {
        headers: { accept: "application/json" },
      },
    );
  const body = parse(text);
  if (!body || typeof body !== "object" || Array.isArray(body))
    throw new RestError("invalid", "The body must be a JSON object.", {
      errors: [{ in: "body", pointer: "#", message: "expected an object" }],
    });
  refuseUnknown(operation, body);
  return body as Record<string, unknown>;
}

function refuseUnknown(operation: Operation, body: object): void {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(operation.bodyFields, name));
  if (unknown.length === 0) return;
  const known = Object.keys(operation.bodyFields).join(", ");
  throw new RestError("invalid", `There is no field ${unknown.join(", ")} here; known are ${known}.`, {
    errors: unknown.map((name) => ({ in: "body", pointer: toPointer([name]), message: "there is no such field" })),
  });
}

/** toPointer formats a path as a JSON pointer in a URI fragment (RFC 6901 §6). */
export function toPointer(path: (string | number)[]): string {
  const parts = path.map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")));
  return `#${parts.map((part) => `/${part}`).join("")}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RestError("malformed", `The body is not JSON: ${why}.`, {
      errors: [{ in: "body", pointer: "#", message: "not JSON" }],
    });
  }
}

async function readText(request: Request): Promise<string> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBodyBytes) throw tooLarge();
  if (!request.body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBodyBytes) throw tooLarge();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof RestError) throw error;
    throw new RestError("malformed", "The body ended early, or is not UTF-8.", {
      errors: [{ in: "body", pointer: "#", message: "can't be read" }],
    });
  }
}

function tooLarge(): RestError {
  return new RestError("too-large", `A body may have ${maxBodyBytes} bytes at most.`);
}
