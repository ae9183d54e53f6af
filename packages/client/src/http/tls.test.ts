import "reflect-metadata";
import { randomBytes } from "node:crypto";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer, type Server } from "node:tls";
import * as x509 from "@peculiar/x509";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectTlsFor } from "../adapters/connect.ts";
import { AddressMapper } from "../mapper/address-mapper.ts";
import { aMap, exposureId, oneInstance } from "../testing/maps.ts";

let certificate: { cert: string; key: string };
let instance: Server;
let edge: Server;
let mappers: AddressMapper[] = [];

beforeEach(async () => {
  certificate = await selfSigned();
  instance = createTlsServer(certificate, (socket) => socket.end("here"));
  const port = await listen(instance);
  const entry = oneInstance(5, {
    ...{ internalAddress: "redis-0.redis", externalAddress: "127.0.0.1" },
    ports: [{ name: null, protocol: "tcp", internal: 6_380, external: port }],
  });
  const shared = { ...entry, instance: "redis-1", internalAddress: "10.0.5.6", serverName: "redis-0.redis" };
  edge = createHttpsServer(certificate, (_, response) => {
    response.writeHead(200, { "content-type": "application/json", etag: '"1"' });
    response.end(JSON.stringify(aMap(1, [entry, shared])));
  });
  await listen(edge);
});

afterEach(async () => {
  await Promise.all(mappers.map((each) => each.stop()));
  mappers = [];
  for (const server of [instance, edge]) {
    if ("closeAllConnections" in server && typeof server.closeAllConnections === "function")
      server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

function mapperOf(options: { ca?: string; startTimeoutMs?: number }): AddressMapper {
  const url = `https://127.0.0.1:${(edge.address() as AddressInfo).port}`;
  const mapper = new AddressMapper({ url, exposureId, startTimeoutMs: 30_000, ...options });
  mappers.push(mapper);
  return mapper;
}

it("reads the map from a control plane with a private CA", async () => {
  const mapper = mapperOf({ ca: certificate.cert });
  await mapper.start();
  expect(mapper.entries()).toHaveLength(2);
});

it("rejects a control plane with an unknown CA", async () => {
  // It tries again until the timeout, which leaves a busy machine time for the first attempt.
  await expect(mapperOf({ startTimeoutMs: 3_000 }).start()).rejects.toThrow(
    /can't be reached: (DEPTH_ZERO_)?SELF_SIGNED/,
  );
});

it("checks the instance's certificate against the requested name, not the external address", async () => {
  const mapper = mapperOf({ ca: certificate.cert });
  await mapper.start();
  const open = (host: string, servername?: string) =>
    new Promise((resolve, reject) => {
      const own = servername === undefined ? {} : { servername };
      const socket = connectTlsFor(mapper)({ host, port: 6_380, ca: certificate.cert, ...own });
      socket.once("error", reject).once("data", (chunk) => resolve(String(chunk)));
    });
  expect(await open("redis-0.redis")).toBe("here");
  await expect(open("redis-0.redis", "another.name")).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
});

it("sends the map's server name (SNI) if instances share an address, and accepts only its certificate", async () => {
  const mapper = mapperOf({ ca: certificate.cert });
  await mapper.start();
  const serverName = new Promise((resolve) =>
    instance.once("secureConnection", (socket) => resolve(socket.servername)),
  );
  const socket = connectTlsFor(mapper)({ host: "10.0.5.6", port: 6_380, ca: certificate.cert });
  await new Promise((resolve, reject) => socket.once("data", resolve).once("error", reject));
  expect(await serverName).toBe("redis-0.redis");
});

async function selfSigned(): Promise<{ cert: string; key: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: "CN=test", keys, signingAlgorithm: algorithm, serialNumber: `01${randomBytes(8).toString("hex")}` },
    ...{ notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) },
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: "ip", value: "127.0.0.1" },
        { type: "dns", value: "redis-0.redis" },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    cert: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
