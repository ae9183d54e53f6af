import { createServer as createHttpServer, request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { NatMap } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AddressMapper } from "../mapper/address-mapper.ts";
import { Edge } from "../testing/edge.ts";
import { aMap, exposureId, oneInstance } from "../testing/maps.ts";
import { connectFor, connectTlsFor, socketFactoryFor } from "./connect.ts";
import { lookupFor } from "./lookup.ts";
import { natMapOf, nodeAddressMapOf } from "./redis.ts";
import { rewriteUrl } from "./rewrite-url.ts";

let edge: Edge;
let mapper: AddressMapper;
const echo = createServer((socket) => socket.end("here"));

beforeEach(async () => {
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as AddressInfo;
  const local = (internal: number, external: number) => [{ name: null, protocol: "tcp", internal, external }];
  edge = await new Edge(
    aMap(1, [
      oneInstance(5, { externalAddress: "127.0.0.1", ports: local(6_379, port) }),
      oneInstance(6, { internalAddress: "fd00::6", externalAddress: "2001:db8::6", ports: local(6_379, 7_000) }),
      oneInstance(7, { internalAddress: "grid-7.grid", externalAddress: "127.0.0.1", ports: local(port, port) }),
    ]),
  ).open();
  mapper = new AddressMapper({ url: edge.url, exposureId, apiKey: edge.key, onUnknown: "reject" });
  await mapper.start();
});

afterEach(async () => {
  await mapper.stop();
  await edge.close();
  await new Promise((resolve) => echo.close(resolve));
});

const portOfEcho = () => (echo.address() as AddressInfo).port;

function read(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.once("end", () => resolve(text)).once("error", reject);
  });
}

describe("Redis", () => {
  it("works as ioredis' natMap", () => {
    const natMap: NatMap = natMapOf(mapper);
    if (typeof natMap !== "function") throw new Error("not the function form");
    expect(natMap("10.0.5.5:6379")).toEqual({ host: "127.0.0.1", port: portOfEcho() });
    expect(natMap("fd00::6:6379")).toEqual({ host: "2001:db8::6", port: 7_000 });
    expect(natMap("10.9.9.9:6379")).toBeNull();
    expect(natMap("nonsense")).toBeNull();
  });

  it("returns only host and port if there is also a server name", async () => {
    edge.serve(aMap(2, [oneInstance(5, { serverName: "grid-5.example.com" })]));
    await mapper.refresh();
    const natMap = natMapOf(mapper);
    expect(Object.keys(natMap("10.0.5.5:11222") ?? {})).toEqual(["host", "port"]);
  });

  it("works as node-redis' nodeAddressMap", () => {
    const nodeAddressMap = nodeAddressMapOf(mapper);
    expect(nodeAddressMap("10.0.5.5:6379")).toEqual({ host: "127.0.0.1", port: portOfEcho() });
    expect(nodeAddressMap("10.9.9.9:6379")).toBeUndefined();
  });
});

describe("sockets", () => {
  it("connect to an internal address through its external one", async () => {
    expect(await read(connectFor(mapper)({ host: "10.0.5.5", port: 6_379 }))).toBe("here");
  });

  it("fail, as sockets do, for an address that is not in the map", async () => {
    const error = { kind: "unknown-address", message: "10.9.9.9:1 has no external address in the map." };
    await expect(read(connectFor(mapper)({ host: "10.9.9.9", port: 1 }))).rejects.toMatchObject(error);
    await expect(read(connectTlsFor(mapper)({ host: "10.9.9.9", port: 1 }))).rejects.toMatchObject(error);
  });

  it("are created for KafkaJS by its socketFactory", async () => {
    const socket = await new Promise<Socket>((resolve) => {
      const made: Socket = socketFactoryFor(mapper)({ host: "10.0.5.5", port: 6_379, onConnect: () => resolve(made) });
    });
    expect(await read(socket)).toBe("here");
  });

  it("work with http.request as its createConnection", async () => {
    const web = createHttpServer((_, response) => response.end("page"));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const { port } = web.address() as AddressInfo;
    edge.serve(
      aMap(2, [
        oneInstance(5, {
          externalAddress: "127.0.0.1",
          ports: [{ name: null, protocol: "tcp", internal: 80, external: port }],
        }),
      ]),
    );
    await mapper.refresh();
    const status = await new Promise((resolve, reject) => {
      request({ host: "10.0.5.5", port: 80, createConnection: connectFor(mapper) }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end();
    });
    expect(status).toBe(200);
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
  });
});

describe("lookupFor", () => {
  const lookup = (hostname: string, port: number, options = {}) =>
    new Promise((resolve, reject) => {
      lookupFor(mapper, port)(hostname, options, (error, address, family) =>
        error ? reject(error) : resolve([address, family]),
      );
    });

  it("resolves names like dns.lookup", async () => {
    expect(await lookup("grid-7.grid", portOfEcho())).toEqual(["127.0.0.1", 4]);
    expect(await lookup("grid-7.grid", portOfEcho(), { all: true })).toEqual([
      [{ address: "127.0.0.1", family: 4 }],
      undefined,
    ]);
  });

  it("rejects a different external port, and a name that is not in the map", async () => {
    await expect(lookup("10.0.5.5", 6_379)).rejects.toThrow("connect with connectFor()");
    await expect(lookup("elsewhere", 1)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("works within net.connect", async () => {
    const options = { host: "grid-7.grid", port: portOfEcho(), lookup: lookupFor(mapper, portOfEcho()) };
    const { connect } = await import("node:net");
    expect(await read(connect(options as never))).toBe("here");
  });
});

describe("rewriteUrl", () => {
  it.each([
    ["redis://10.0.5.5", "redis://127.0.0.1:PORT"],
    ["redis://user:p%40ss@10.0.5.5:6379/0?x=10.0.5.5:6379#y", "redis://user:p%40ss@127.0.0.1:PORT/0?x=10.0.5.5:6379#y"],
    ["redis://[FD00::6]/", "redis://[2001:db8::6]:7000/"],
    ["redis://[2001:db8::6]:7000/", "redis://[2001:db8::6]:7000/"],
  ])("rewrites %s", (url, expected) => {
    expect(rewriteUrl(mapper, url)).toBe(expected.replace("PORT", String(portOfEcho())));
  });

  it.each([
    ["odd://10.0.5.5", "odd:// has no known default port"],
    ["mongodb://10.0.5.5,10.0.5.6/", "10.0.5.5,10.0.5.6:27017 has no external address"],
    ["redis://10.9.9.9/", "10.9.9.9:6379 has no external address"],
    ["nonsense", "takes a URL with one host"],
  ])("refuses %s", (url, message) => {
    expect(() => rewriteUrl(mapper, url)).toThrow(message);
  });
});
