import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

export type Served = { url: string; close: () => Promise<void> };

/** serveFetch serves a fetch-style handler from a real HTTP server on this machine. */
export async function serveFetch(handle: (request: Request) => Promise<Response>, port = 0): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    void answer(handle, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // A Request can't have these methods, so no handler ever sees one.
  if (incoming.method === "TRACE" || incoming.method === "TRACK") {
    outgoing.writeHead(405, { allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS" }).end();
    return;
  }
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await handle(toRequest(incoming, gone.signal)).catch(() => new Response(null, { status: 500 }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body as NodeReadableStream);
  body.on("error", () => outgoing.destroy());
  outgoing.once("close", () => body.destroy());
  body.pipe(outgoing);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", headers, url = "/" } = incoming;
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "http://127.0.0.1"), {
    method,
    headers: given,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" as const } : {}),
  });
}
