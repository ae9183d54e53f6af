import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { abortRequests, sessionFetch } from "./session-fetch.ts";

describe("sessionFetch", () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    // Only /soon gets a response.
    server = createServer(({ url: path }, response) => path === "/soon" && response.end("here"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it("ends with the session, and works in the next", async () => {
    const unanswered = sessionFetch(`${url}/never`);
    abortRequests();
    await expect(unanswered).rejects.toThrow(/abort/);
    expect(await (await sessionFetch(`${url}/soon`)).text()).toBe("here");
  });

  it("is also aborted by the caller's own signal", async () => {
    const controller = new AbortController();
    const unanswered = sessionFetch(`${url}/never`, { signal: controller.signal });
    controller.abort();
    await expect(unanswered).rejects.toThrow(/abort/);
  });
});
