import { createHash } from "node:crypto";
import { RestError } from "./problem.ts";

/**
 * entityTag identifies one state of an answer. It starts with the generation of its spec, if there is one: If-Match
 * compares only that, because the observed rest of an answer changes by itself.
 */
export function entityTag(body: unknown, text: string): string {
  const hash = createHash("sha1").update(text).digest("base64url").slice(0, 16);
  const generation = generationOf(body);
  return generation === undefined ? `"${hash}"` : `"${generation}.${hash}"`;
}

/** isUnchanged evaluates If-None-Match: the client has exactly this state. */
export function isUnchanged(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return header.trim() === "*" || parseTags(header).some((each) => each === tag);
}

/** readIfMatch returns the generation that a change is based on; undefined means any. */
export function readIfMatch(header: string | null): number | undefined {
  if (header === null || header.trim() === "*") return undefined;
  const generations = new Set(parseTags(header).map((tag) => /^"(\d{1,15})(\.[\w-]*)?"$/.exec(tag)?.[1]));
  const [generation] = generations;
  if (generations.size === 1 && generation !== undefined) return Number(generation);
  const message = "expected the ETag of the object, as it was read";
  throw new RestError("malformed", `If-Match: ${message}.`, { errors: [{ in: "header", name: "If-Match", message }] });
}

/** Compressing proxies mark tags as weak. They still identify the same state. */
function parseTags(header: string): string[] {
  return header.split(",").map((each) => each.trim().replace(/^W\//, ""));
}

function generationOf(body: unknown): number | undefined {
  if (!body || typeof body !== "object" || !("generation" in body)) return undefined;
  return typeof body.generation === "number" ? body.generation : undefined;
}
