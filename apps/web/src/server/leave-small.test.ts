import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { leaveSmall } from "./leave-small.ts";

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The middleware of Next.js, as its server uses it. */
const compression = createRequire(import.meta.url)("next/dist/compiled/compression") as () => Middleware;

let stop = () => {};
afterEach(() => stop());

async function encodingOf(response: Response): Promise<{ encoding: string | null; text: string }> {
  const send: RequestListener = async (request, outgoing) => {
    compression()(request, outgoing, () => {});
    const answer = await leaveSmall(response);
    for (const [name, value] of answer.headers) outgoing.setHeader(name, value);
    outgoing.flushHeaders();
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer(send);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => server.close();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  return { encoding: received.headers.get("content-encoding"), text: await received.text() };
}

const json = { "content-type": "application/json", "cache-control": "private, no-cache" };

it.each([
  ["leaves a small answer as it is", 1_023, null],
  ["compresses a large one", 1_024, "gzip"],
])("%s", async (_, length, encoding) => {
  const text = `"${"x".repeat(length - 2)}"`;
  expect(await encodingOf(new Response(text, { headers: json }))).toEqual({ encoding, text });
});

it("keeps status and headers", async () => {
  const headers = { ...json, "content-type": "application/problem+json", etag: '"7.abc"' };
  const answer = await leaveSmall(new Response("{}", { status: 404, headers }));
  expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
    404,
    { ...headers, "cache-control": "private, no-cache, no-transform" },
  ]);
});

it.each(["text/event-stream", "application/x-ndjson", "text/csv; charset=utf-8"])("does not read %s", async (type) => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) });
  const stream = new Response(endless, { headers: { "content-type": type } });
  expect(await leaveSmall(stream)).toBe(stream);
  await endless.cancel();
});

it("leaves an answer without a body as it is", async () => {
  const unchanged = new Response(null, { status: 304, headers: json });
  expect(await leaveSmall(unchanged)).toBe(unchanged);
});
