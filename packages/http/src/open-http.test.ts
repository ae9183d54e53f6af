import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openHttp } from "./open-http.ts";
import { readLines, readText, releaseBody } from "./read-body.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
}

function openClient() {
  const client = openHttp({ connectTimeoutMs: 1_000, maxConnections: 2 });
  closing.push(client.close);
  return client;
}

describe("openHttp", () => {
  it("sends path, query, headers and body, and returns the response", async () => {
    const url = await serve((request, response) => {
      request.setEncoding("utf8").on("data", (body) => {
        response
          .writeHead(201, { "x-answer": "42" })
          .end(`${request.method} ${request.url} ${request.headers.accept} ${body}`);
      });
    });
    const headers = { accept: "text/plain" };
    const {
      status,
      headers: given,
      body,
    } = await openClient().send({ url, method: "POST", headers, body: "hi", firstByteTimeoutMs: 5_000 });
    expect([status, given["x-answer"], await readText(body, 1_000)]).toEqual([201, "42", "POST /a?b=c text/plain hi"]);
  });

  it("names the product to every server", async () => {
    const url = await serve((request, response) => response.end(request.headers["user-agent"]));
    const { body } = await openClient().send({ url, headers: { accept: "text/plain" }, firstByteTimeoutMs: 5_000 });
    expect(await readText(body, 1_000)).toBe("fairlead");
  });

  it("follows no redirect", async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests++;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const { status, body } = await openClient().send({ url, firstByteTimeoutMs: 5_000 });
    await readText(body, 1_000);
    expect([status, requests]).toEqual([302, 1]);
  });

  it("releases the connection of a body that is too long, abandoned or not read", async () => {
    let open = 0;
    const url = await serve((_, response) => {
      open++;
      response.on("close", () => open--);
      const send = () => {
        while (response.write(`${"x".repeat(10_000)}\n`) && !response.destroyed);
      };
      response.on("drain", send);
      send();
    });
    const client = openClient();
    const start = async () => (await client.send({ url, firstByteTimeoutMs: 5_000 })).body;
    await expect(readText(await start(), 50_000)).rejects.toThrow("the response is longer than 50000 bytes");
    await expect(readLines(await start(), 5_000).next()).rejects.toThrow("the line is longer than 5000 bytes");
    for await (const line of readLines(await start(), 20_000)) if (line) break;
    releaseBody(await start());
    await vi.waitFor(() => expect(open).toBe(0), { timeout: 10_000 });
  });

  it("aborts a response that does not begin, stalls, or takes too long in total", async () => {
    const silent = await serve(() => {});
    await expect(openClient().send({ url: silent, firstByteTimeoutMs: 50 })).rejects.toThrow(/timeout/i);
    const stalling = await serve((_, response) => response.writeHead(200).write("begun"));
    const stalled = await openClient().send({ url: stalling, firstByteTimeoutMs: 5_000, silenceTimeoutMs: 50 });
    await expect(readText(stalled.body, 1_000)).rejects.toThrow(/timeout/i);
    const slow = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(timer));
    });
    const late = await openClient().send({ url: slow, firstByteTimeoutMs: 5_000, timeoutMs: 300 });
    await expect(readText(late.body, 1_000_000)).rejects.toThrow(/timeout/i);
  });
});
