import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseForeignActions } from "./refuse-foreign-actions.ts";

const url = "https://fairlead.example.com";
const host = "fairlead.example.com";

let server: Server;
let undo: () => void;
beforeAll(async () => {
  undo = refuseForeignActions(url);
  server = createServer((_, response) => response.end("served"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  undo();
  server.closeAllConnections();
  server.close();
});

function send(method: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, method, headers: { host, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once("error", reject)
      .end();
  });
}

describe("a form", () => {
  it.each([
    ["of our own page", "/password", { origin: url, "sec-fetch-site": "same-origin" }, 200],
    ["of our page under an address", "/password", { origin: "http://10.0.0.1:3000", host: "10.0.0.1:3000" }, 200],
    ["of a program", "/password", {}, 200],
    ["of another site", "/password", { origin: "https://evil.example" }, 403],
    ["of our host without HTTPS", "/password", { origin: `http://${host}` }, 403],
    ["of a sandboxed frame", "/password", { origin: "null" }, 403],
    ["that hides its origin", "/password", { "sec-fetch-site": "cross-site" }, 403],
    ["for a route of the API, which checks it", "/api/v1/clusters", { origin: "https://evil.example" }, 200],
  ])("%s is answered with its status", async (_, path, headers, status) => {
    expect(await send("POST", path, headers as Record<string, string>)).toBe(status);
  });

  it("is the only thing that is refused: links from other sites open", async () => {
    expect(await send("GET", "/", { "sec-fetch-site": "cross-site" })).toBe(200);
  });
});
