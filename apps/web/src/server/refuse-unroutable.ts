import { randomUUID } from "node:crypto";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";

type Refusal = { status: number; kind: string; title: string; detail: string; headers: Record<string, string> };

const routable = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * refuseUnroutable answers requests that Next.js fails on before it calls a route: an unknown method (TRACE returns
 * 500, QUERY a bare 400), and a path that can't be decoded.
 */
export function refuseUnroutable(): void {
  const emit: (this: Server, event: string, ...args: unknown[]) => boolean = Server.prototype.emit;
  Server.prototype.emit = function emitUnlessRefused(this: Server, event: string, ...args: unknown[]): boolean {
    if (event !== "request") return emit.call(this, event, ...args);
    const [request, response] = args as [IncomingMessage, ServerResponse];
    const refusal = refusalOf(request.method ?? "", request.url ?? "");
    if (!refusal) return emit.call(this, event, ...args);
    answer(response, refusal);
    return true;
  };
}

export function refusalOf(method: string, url: string): Refusal | null {
  if (!routable.includes(method)) {
    const detail = `${method} is not supported.`;
    const headers = { allow: routable.join(", ") };
    return {
      status: 405,
      kind: "method-not-allowed",
      title: "This path does not support that method",
      detail,
      headers,
    };
  }
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return null;
  } catch {
    const detail = "The path contains an invalid escape sequence such as %zz.";
    return { status: 400, kind: "malformed", title: "The request can't be read", detail, headers: {} };
  }
}

function answer(response: ServerResponse, { status, kind, title, detail, headers }: Refusal): void {
  const requestId = randomUUID();
  const instance = `urn:fairlead:request:${requestId}`;
  response.writeHead(status, { "content-type": "application/problem+json", "x-request-id": requestId, ...headers });
  response.end(JSON.stringify({ type: `urn:fairlead:problem:${kind}`, title, status, detail, instance }));
}
