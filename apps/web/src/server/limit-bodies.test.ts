import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { limitBodies } from "./limit-bodies.ts";

const limit = 1_048_576;

let server: Server;
let undo: () => void;
/** The bodies that reached the application. */
const read: number[] = [];

beforeAll(async () => {
  undo = limitBodies();
  server = createServer(async (request, response) => {
    read.push((await text(request)).length);
    response.end("read");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  undo();
  server.closeAllConnections();
  server.close();
});

/** open sends the head of a request. Its connection stays open for what is sent later. */
function open(head: string[]) {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(`${head.join("\r\n")}\r\nhost: x\r\n\r\n`);
  return { socket, closed, answer: () => answer };
}

const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;
const paths = ["/api/auth/sign-in/email", "/api/v1/clusters", "/api/trpc/cluster.create", "/sign-in"];

describe("a request's body", () => {
  it("that is announced as too large is refused before it is sent, on every path", async () => {
    const requests = paths.map((path) => open([`POST ${path} HTTP/1.1`, `content-length: ${limit + 1}`]));
    for (const { closed, answer } of requests) {
      await closed;
      expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer()).toContain('"type":"urn:fairlead:problem:too-large"');
    }
  });

  it("that grows too large without a length is refused, and its connection ends", async () => {
    const { socket, closed, answer } = open(["POST /api/auth/sign-in/email HTTP/1.1", "transfer-encoding: chunked"]);
    const endless = setInterval(() => socket.writable && socket.write(chunk(256 * 1024)), 5);
    await closed;
    clearInterval(endless);
    expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("is read as before up to the limit, with and without a length", async () => {
    read.length = 0;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = "x".repeat(limit);
    const withLength = await fetch(url, { method: "POST", body });
    const parts = new ReadableStream({
      start(controller) {
        for (let at = 0; at < limit; at += 4_096)
          controller.enqueue(new TextEncoder().encode(body.slice(at, at + 4_096)));
        controller.close();
      },
    });
    const withoutLength = await fetch(url, { method: "POST", body: parts, duplex: "half" } as RequestInit);
    expect([withLength.status, withoutLength.status, await withoutLength.text()]).toEqual([200, 200, "read"]);
    const empty = await fetch(url, { method: "POST" });
    expect([empty.status, ...read]).toEqual([200, limit, limit, 0]);
  });

  it("of a client that hangs up early is dropped, and breaks nothing", async () => {
    read.length = 0;
    const { socket, closed } = open(["POST / HTTP/1.1", "transfer-encoding: chunked"]);
    await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0));
    socket.write(chunk(100));
    socket.destroy();
    await closed;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect((await fetch(url, { method: "POST", body: "abc" })).status).toBe(200);
    expect(read).toEqual([3]);
  });
});
