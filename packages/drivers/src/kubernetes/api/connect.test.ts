import { type AddressInfo, createServer, type Socket } from "node:net";
import type { KubeconfigAccess, KubernetesAccess } from "@fairlead/domain/kubernetes";
import { afterEach, describe, expect, it } from "vitest";
import {
  checkPermissions,
  connect,
  explainKubernetesError,
  type KubernetesApi,
  KubernetesRefused,
  readVersion,
} from "../index.ts";
import { makeOtherAuthority, sendJson, startHttpsServer, type TestHttpsServer } from "../testing/https-server.ts";

const token = "t0ken-of-the-test";
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const signal = AbortSignal.timeout(60_000);
const to = (
  server: string,
  certificateAuthority: string | null,
  other: Partial<KubeconfigAccess> = {},
): KubeconfigAccess => ({
  type: "kubeconfig",
  server,
  certificateAuthority,
  tlsServerName: null,
  auth: { type: "token", token },
  ...other,
});

async function serve(...given: Parameters<typeof startHttpsServer>): Promise<TestHttpsServer> {
  const server = await startHttpsServer(...given);
  closing.push(server.close);
  return server;
}

function open(access: KubernetesAccess): KubernetesApi {
  const api = connect(access);
  closing.push(api.close);
  return api;
}

/** How a person is told of what came of asking for the version. */
async function told(access: KubernetesAccess): Promise<{ isRefused: boolean; message: string }> {
  const error = await readVersion(open(access).calls, signal).then(
    () => new Error("it answered"),
    (error: unknown) => explainKubernetesError(error, { what: "read its version", access }),
  );
  expect(error.message).not.toContain(token);
  expect(error.cause).toBeUndefined();
  return { isRefused: error instanceof KubernetesRefused, message: error.message };
}

const version = { major: "1", minor: "36", gitVersion: "v1.36.3" };
const saysVersion = ((_, response) => sendJson(response, 200, version)) satisfies Parameters<
  typeof startHttpsServer
>[0];
const says = (status: number, body: object) =>
  ((_, response) => sendJson(response, status, body)) satisfies Parameters<typeof startHttpsServer>[0];

describe("a connection", () => {
  it("asks with what it was given, over one line", async () => {
    const { url, authority, asked } = await serve(saysVersion);
    const api = open(to(`${url}/k8s/a`, authority));
    expect(await readVersion(api.calls, signal)).toBe("v1.36.3");
    expect(await readVersion(api.calls, signal)).toBe("v1.36.3");
    expect(asked).toEqual(Array(2).fill(`GET /k8s/a/version Bearer ${token}`));
  });

  it("signs in with a name and a password", async () => {
    const { url, authority, asked } = await serve(saysVersion);
    await readVersion(
      open(to(url, authority, { auth: { type: "password", username: "ann", password: "x:y" } })).calls,
      signal,
    );
    expect(asked).toEqual([`GET /version Basic ${Buffer.from("ann:x:y").toString("base64")}`]);
  });

  it("takes the name that the certificate is made out to", async () => {
    const { url, authority } = await serve(saysVersion, { name: "api.example" });
    expect(await readVersion(open(to(url, authority, { tlsServerName: "api.example" })).calls, signal)).toBe("v1.36.3");
  });

  it("ends when it is told to", async () => {
    const { url, authority } = await serve(() => undefined);
    const stop = new AbortController();
    const asking = readVersion(open(to(url, authority)).calls, stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(asking).rejects.toThrow("stopped");
  });

  it("follows no redirect, and tells nobody else who asks", async () => {
    const elsewhere = await serve(saysVersion);
    const { url, authority } = await serve((_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/version` }).end(),
    );
    expect(await told(to(url, authority))).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("redirects elsewhere"),
    });
    expect(elsewhere.asked).toEqual([]);
  });
});

describe("a server that isn't trusted is sent nothing, and the cure is named", () => {
  it.each<[string, object, (own: string, other: string) => string | null, RegExp]>([
    [
      "signed by somebody else",
      {},
      (_, other) => other,
      /isn't signed by the given authority; use certificate-authority-data/,
    ],
    ["signed by nobody whom the machine trusts", {}, () => null, /isn't signed by the given authority/],
    ["made out to another name", { name: "api.example" }, (own) => own, /issued for other names.*tls-server-name/],
    ["ended", { endsInMs: -3_600_000 }, (own) => own, /its certificate has expired; renew/],
  ])("%s", async (_, options, authorityOf, message) => {
    const { url, authority, asked } = await serve(saysVersion, options);
    const answer = await told(to(url, authorityOf(authority, await makeOtherAuthority())));
    expect(answer).toEqual({ isRefused: true, message: expect.stringMatching(message) });
    expect(asked).toEqual([]);
  });

  it("even where the environment says that anybody is", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const { url, asked } = await serve(saysVersion);
      expect(await told(to(url, await makeOtherAuthority()))).toMatchObject({ isRefused: true });
      expect(asked).toEqual([]);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it("that speaks no TLS at all", async () => {
    const plain = await listen((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await told(to(plain, null))).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("https address"),
    });
  });
});

describe("an API that can't be reached is weather", () => {
  it("where nobody listens", async () => {
    const server = await startHttpsServer(saysVersion);
    await server.close();
    expect(await told(to(server.url, server.authority))).toEqual({
      isRefused: false,
      message: `The API at ${new URL(server.url).host} can't be reached: the connection was refused; check that the API runs, and its address and port (ECONNREFUSED)`,
    });
  });

  it("where nobody knows the name", async () => {
    const answer = await told(to("https://nobody.invalid:6443", null));
    expect(answer).toMatchObject({ isRefused: false, message: expect.stringMatching(/name/) });
  });

  it("where the line is taken and nothing said: given up within seconds", async () => {
    const silent = await listen(() => undefined);
    const began = performance.now();
    expect(await told(to(silent, null))).toMatchObject({
      isRefused: false,
      message: expect.stringContaining("in time"),
    });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("where it ends the line", async () => {
    const { url, authority } = await serve((request) => request.socket.destroy());
    expect(await told(to(url, authority))).toMatchObject({
      isRefused: false,
      message: expect.stringContaining("closed the connection"),
    });
  });

  it.each([
    [
      500,
      { kind: "Status", reason: "InternalError", message: "etcd is away" },
      /fails to read its version: etcd is away \(500\)/,
    ],
    [503, {}, /fails to read its version \(503\)/],
    [429, { kind: "Status", reason: "TooManyRequests", message: "slow down" }, /is throttling requests/],
  ])("where it answers %i", async (status, body, message) => {
    const { url, authority } = await serve(says(status, body));
    expect(await told(to(url, authority))).toEqual({ isRefused: false, message: expect.stringMatching(message) });
  });
});

describe("an API that refuses", () => {
  it.each<[string, number, object, RegExp]>([
    [
      "who asks",
      401,
      { kind: "Status", reason: "Unauthorized", message: "Unauthorized" },
      /rejects the credentials.*revoked.*valid one/,
    ],
    [
      "what is asked, in its own words",
      403,
      { kind: "Status", reason: "Forbidden", message: `User "ann"\n cannot get path "/version" with ${token}.` },
      /doesn't allow to read its version: User "ann" cannot get path "\/version" with \[hidden\]\. Apply the manifest/,
    ],
    [
      "because it is something else",
      404,
      { error: `secret ${token}` },
      /has no way to read its version; check the address and its path \(404\)/,
    ],
  ])("%s", async (_, status, body, message) => {
    const { url, authority } = await serve(says(status, body));
    expect(await told(to(url, authority))).toEqual({ isRefused: true, message: expect.stringMatching(message) });
  });

  it.each<[string, Parameters<typeof startHttpsServer>[0]]>([
    ["a page", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>")],
    ["JSON of another kind", says(200, { hello: "world" })],
    ["null", (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("null")],
  ])("because it is none: it answers %s", async (_, answer) => {
    const { url, authority } = await serve(answer);
    expect(await told(to(url, authority))).toMatchObject({
      isRefused: true,
      message: expect.stringMatching(/Kubernetes API/),
    });
  });
});

describe("as the controller's own pod", () => {
  it("says that there is none where there is none", async () => {
    expect(await told({ type: "in-cluster" })).toEqual({
      isRefused: true,
      message: expect.stringContaining("Use a kubeconfig instead"),
    });
  });
});

describe("permissions", () => {
  it("are asked for each verb, a few at a time, and told as the API said", async () => {
    let running = 0;
    let most = 0;
    const { url, authority, bodies } = await serve((_, response, body) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        sendJson(response, 201, { status: { allowed: body.includes('"verb":"v1"') } });
      }, 20);
    });
    const needed = ["v0", "v1", "v2", "v3", "v4", "v5"].map((verb) => ({
      verb,
      group: "g",
      resource: "r",
      name: "r.g",
      why: "w",
      required: verb !== "v0",
    }));
    const seen = await checkPermissions(open(to(url, authority)).calls, signal, needed);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    expect(seen).toEqual(
      needed.map(({ verb, required }) => ({
        verb,
        resource: "r.g",
        namespace: null,
        why: "w",
        required,
        granted: verb === "v1",
      })),
    );
    expect(
      bodies.map((each) => JSON.parse(each).spec).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ).toEqual(needed.map(({ verb }) => ({ resourceAttributes: { verb, group: "g", resource: "r" } })));
  });
});

async function listen(onLine: (line: Socket) => void): Promise<string> {
  const server = createServer();
  const lines = new Set<{ destroy: () => void }>();
  server.on("connection", (socket) => {
    lines.add(socket);
    socket.on("error", () => undefined);
    onLine(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    for (const line of lines) line.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
