import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

export type Refusal = { status: number; kind: string; title: string; detail: string; headers: Record<string, string> };

/** writeRefusal writes a refusal in the form of the REST API. It does not end the response. */
export function writeRefusal(response: ServerResponse, { status, kind, title, detail, headers }: Refusal): void {
  const requestId = randomUUID();
  const instance = `urn:fairlead:request:${requestId}`;
  const body = JSON.stringify({ type: `urn:fairlead:problem:${kind}`, title, status, detail, instance });
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    ...headers,
  });
  response.write(body);
}
