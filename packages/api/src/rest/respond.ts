import { entityTag, isUnchanged } from "./entity-tag.ts";
import type { Operation } from "./operation.ts";
import type { Written } from "./rest-document.ts";

export type Answer = { body: unknown; isReplayed: boolean };

export type Respond = {
  operation: Operation;
  request: Request;
  url: URL;
  basePath: string;
  requestId: string;
  /** Whether a created object can be read below the path it was posted to. */
  isReadable: boolean;
  /** The media type that was requested. */
  type: string;
};

/** respond writes the answer of a procedure. */
export function respond(
  { operation, request, url, basePath, requestId, isReadable, type }: Respond,
  answer: Answer,
): Response {
  const headers = new Headers({ "x-request-id": requestId, "cache-control": "private, no-cache" });
  if (answer.isReplayed) headers.set("idempotency-replayed", "true");
  if (operation.status === 204) return new Response(null, { status: 204, headers });

  const written = write(operation, answer.body, { type, format: url.searchParams.get("format") });
  const { text, tag } = written;
  headers.set("etag", tag);
  if (operation.document) headers.set("vary", "accept");
  const next = operation.isList ? nextLink(url, basePath, operation, answer.body) : null;
  if (next) headers.set("link", next);
  if (operation.method === "GET" && isUnchanged(request.headers.get("if-none-match"), tag))
    return new Response(null, { status: 304, headers });

  headers.set("content-type", written.type);
  const id = idOf(answer.body);
  if (operation.status === 201) headers.set("cache-control", "no-store"); // it may hold a secret that is shown once
  if (operation.status === 201 && isReadable && id) headers.set("location", `${basePath}${operation.path}/${id}`);
  return new Response(request.method === "HEAD" ? null : text, { status: operation.status, headers });
}

function write(operation: Operation, body: unknown, wanted: { type: string; format: string | null }): Written {
  if (operation.document) return operation.document.write(body, wanted);
  const text = JSON.stringify(body);
  return { text, type: "application/json", tag: entityTag(body, text, operation.volatileFields) };
}

function nextLink(url: URL, basePath: string, operation: Operation, body: unknown): string | null {
  const cursor = body && typeof body === "object" && "nextCursor" in body ? body.nextCursor : null;
  if (typeof cursor !== "string") return null;
  const query = new URLSearchParams(url.searchParams);
  query.delete("offset");
  query.set("cursor", cursor);
  return `<${basePath}${operation.path}?${query}>; rel="next"`;
}

function idOf(body: unknown): string | null {
  return body && typeof body === "object" && "id" in body && typeof body.id === "string" ? body.id : null;
}
