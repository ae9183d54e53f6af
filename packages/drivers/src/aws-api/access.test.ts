import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DescribeVpcsCommand, EC2Client } from "@aws-sdk/client-ec2";
import { afterEach, expect, it } from "vitest";
import { testCredentials } from "../cloud-route/testing/test-vpc.ts";
import { openAccess } from "./access.ts";

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function ask(limitMs: number, signal: AbortSignal, listener: RequestListener): Promise<unknown> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { region: "eu-central-1", endpoint };
  const access = openAccess({ title: "an EC2 API", prefix: "ec2" }, place, testCredentials, [endpoint], limitMs);
  const client = new EC2Client(access.settings);
  return access.ask("DescribeVpcs", signal, (options) => client.send(new DescribeVpcsCommand({}), options));
}

const slowDown: RequestListener = (_, response) =>
  response
    .writeHead(503, { "retry-after": "3000000" })
    .end("<Response><Errors><Error><Code>RequestLimitExceeded</Code></Error></Errors></Response>");
const stallsInBody: RequestListener = (_, response) => response.writeHead(200).write("<DescribeVpcsResponse>");

it.each([
  ["requests a wait of weeks", slowDown],
  ["stalls within a response", stallsInBody],
])("times out on a server that %s", async (_, listener) => {
  const beganAt = performance.now();
  await expect(ask(200, new AbortController().signal, listener)).rejects.toThrow("it doesn't respond in time");
  expect(performance.now() - beganAt).toBeLessThan(4_000);
});

it("ends the wait between two attempts at once when it is aborted", async () => {
  const stop = new AbortController();
  const pending = ask(60_000, stop.signal, (request, response) => {
    slowDown(request, response);
    response.on("close", () => stop.abort(new Error("stopped")));
  });
  const beganAt = performance.now();
  await expect(pending).rejects.toThrow("stopped");
  expect(performance.now() - beganAt).toBeLessThan(4_000);
});
