import { createServer, get, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import os from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseOtherHosts } from "./refuse-other-hosts.ts";

const url = "https://fairlead.example.com";

let server: Server;
let undo: () => void;
beforeAll(async () => {
  undo = refuseOtherHosts({ url, allowedHosts: "fairlead.lan" });
  server = createServer((_, response) => response.end("served"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  undo();
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;

function send(host: string, path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port: port(), path, headers: { host } }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    }).once("error", reject);
  });
}

describe("a request", () => {
  it.each([
    ["fairlead.example.com", "/", 200],
    ["fairlead.lan:3000", "/", 200],
    [os.hostname(), "/", 200],
    ["localhost:3000", "/", 200],
    ["127.0.0.1:3000", "/api/v1/clusters", 200],
    ["[::1]:3000", "/", 200],
    ["172.17.0.2:3000", "/", 200],
    ["evil.example", "/", 421],
    ["evil.example", "/api/v1/clusters", 421],
    ["evil.example", "/set-up?/healthz", 421],
    ["evil.example", "/healthz/../set-up", 421],
    ["evil.example", "/healthz", 200],
    ["evil.example", "/readyz?verbose", 200],
  ])("for the host %s and the path %s is answered with %i", async (host, path, status) => {
    expect((await send(host, path)).status).toBe(status);
  });

  it("for another host is refused with what to do", async () => {
    const { body } = await send("evil.example", "/");
    expect(JSON.parse(body)).toMatchObject({
      type: "urn:fairlead:problem:misdirected",
      detail: `Use ${url}. To serve another name too, such as one that a proxy sends, list it in FAIRLEAD_ALLOWED_HOSTS.`,
    });
  });

  it("without a host is served: no browser sends it", async () => {
    const socket = connect(port(), "127.0.0.1");
    socket.end("GET / HTTP/1.0\r\n\r\n");
    expect(await text(socket)).toContain("served");
  });
});
