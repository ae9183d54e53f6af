import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holdRequests, releaseRequests } from "./hold-requests.ts";
import { onEveryRequest } from "./on-every-request.ts";

let server: Server;
const undo: (() => void)[] = [];
const served: string[] = [];

beforeAll(async () => {
  undo.push(holdRequests());
  server = createServer((request, response) => {
    served.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  for (const each of undo.reverse()) each();
  delete (globalThis as { fairleadIsGuarded?: boolean }).fairleadIsGuarded;
  server.closeAllConnections();
  server.close();
});

it("requests are refused until the guards are there, and then pass the guards", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const early = await fetch(`${url}/early`);
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await early.json()).toMatchObject({ type: "urn:fairlead:problem:unavailable" });

  undo.push(
    onEveryRequest((request, response, next) => (request.url === "/bad" ? void response.writeHead(400).end() : next())),
  );
  expect((await fetch(`${url}/between`)).status).toBe(503);
  releaseRequests();
  expect([(await fetch(`${url}/later`)).status, (await fetch(`${url}/bad`)).status]).toEqual([200, 400]);
  expect(served).toEqual(["/later"]);
});
