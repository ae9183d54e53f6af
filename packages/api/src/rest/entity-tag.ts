import { createHash } from "node:crypto";
import { RestError } from "./problem.ts";
import { type VolatileFields, withoutVolatile } from "./volatile-fields.ts";

/**
 * entityTag identifies one state of an answer. It starts with the generation of its spec, if there is one: If-Match
 * compares only that, because the observed rest of an answer changes by itself. The tag is weak if the answer has
 * volatile fields, because it doesn't depend on them.
 */
export function entityTag(body: unknown, text: string, volatile: VolatileFields | null = null): string {
  const state = volatile ? JSON.stringify(withoutVolatile(body, volatile)) : text;
  const hash = createHash("sha1").update(state).digest("base64url").slice(0, 16);
  const generation = generationOf(body);
  const tag = generation === undefined ? `"${hash}"` : `"${generation}.${hash}"`;
  return volatile ? `W/${tag}` : tag;
}

/** isUnchanged evaluates If-None-Match by weak comparison, as RFC 9110 requires: the client has this state. */
export function isUnchanged(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return header.trim() === "*" || parseTags(header).includes(withoutWeak(tag));
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

function parseTags(header: string): string[] {
  return header.split(",").map((each) => withoutWeak(each.trim()));
}

/** Compressing proxies also mark tags as weak. They still identify the same state, and the same generation. */
function withoutWeak(tag: string): string {
  return tag.replace(/^W\//, "");
}

function generationOf(body: unknown): number | undefined {
  if (!body || typeof body !== "object" || !("generation" in body)) return undefined;
  return typeof body.generation === "number" ? body.generation : undefined;
}
