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

/** The error that users see when the version can't be read. */
async function errorOf(access: KubernetesAccess): Promise<{ isRefused: boolean; message: string }> {
  const error = await readVersion(open(access).calls, signal).then(
    () => new Error("no error"),
    (error: unknown) => explainKubernetesError(error, { what: "read its version", access }),
  );
  expect(error.message).not.toContain(token);
  expect(error.cause).toBeUndefined();
  return { isRefused: error instanceof KubernetesRefused, message: error.message };
}

const version = { major: "1", minor: "36", gitVersion: "v1.36.3" };
const returnsVersion = ((_, response) => sendJson(response, 200, version)) satisfies Parameters<
  typeof startHttpsServer
>[0];
const returns = (status: number, body: object) =>
  ((_, response) => sendJson(response, status, body)) satisfies Parameters<typeof startHttpsServer>[0];

describe("a connection", () => {
  it("sends its token, and reuses one connection", async () => {
    const { url, authority, requests } = await serve(returnsVersion);
    const api = open(to(`${url}/k8s/a`, authority));
    expect(await readVersion(api.calls, signal)).toBe("v1.36.3");
    expect(await readVersion(api.calls, signal)).toBe("v1.36.3");
    expect(requests).toEqual(Array(2).fill(`GET /k8s/a/version Bearer ${token}`));
  });

  it("signs in with a username and a password", async () => {
    const { url, authority, requests } = await serve(returnsVersion);
    await readVersion(
      open(to(url, authority, { auth: { type: "password", username: "ann", password: "x:y" } })).calls,
      signal,
    );
    expect(requests).toEqual([`GET /version Basic ${Buffer.from("ann:x:y").toString("base64")}`]);
  });

  it("verifies the certificate for the set server name", async () => {
    const { url, authority } = await serve(returnsVersion, { name: "api.example" });
    expect(await readVersion(open(to(url, authority, { tlsServerName: "api.example" })).calls, signal)).toBe("v1.36.3");
  });

  it("stops when it is aborted", async () => {
    const { url, authority } = await serve(() => undefined);
    const stop = new AbortController();
    const reading = readVersion(open(to(url, authority)).calls, stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(reading).rejects.toThrow("stopped");
  });

  it("follows no redirect, and sends no credentials elsewhere", async () => {
    const elsewhere = await serve(returnsVersion);
    const { url, authority } = await serve((_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/version` }).end(),
    );
    expect(await errorOf(to(url, authority))).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("redirects elsewhere"),
    });
    expect(elsewhere.requests).toEqual([]);
  });
});

describe("an untrusted server gets no request, and the error names the fix", () => {
  it.each<[string, object, (own: string, other: string) => string | null, RegExp]>([
    [
      "signed by another CA",
      {},
      (_, other) => other,
      /isn't signed by the given authority; use certificate-authority-data/,
    ],
    ["signed by a CA that the system doesn't trust", {}, () => null, /isn't signed by the given authority/],
    ["issued for another name", { name: "api.example" }, (own) => own, /issued for other names.*tls-server-name/],
    ["expired", { endsInMs: -3_600_000 }, (own) => own, /its certificate has expired; renew/],
  ])("%s", async (_, options, authorityOf, message) => {
    const { url, authority, requests } = await serve(returnsVersion, options);
    const answer = await errorOf(to(url, authorityOf(authority, await makeOtherAuthority())));
    expect(answer).toEqual({ isRefused: true, message: expect.stringMatching(message) });
    expect(requests).toEqual([]);
  });

  it("even if the environment turns off verification", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const { url, requests } = await serve(returnsVersion);
      expect(await errorOf(to(url, await makeOtherAuthority()))).toMatchObject({ isRefused: true });
      expect(requests).toEqual([]);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it("without TLS", async () => {
    const plain = await listen((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await errorOf(to(plain, null))).toMatchObject({
      isRefused: true,
      message: expect.stringContaining("https address"),
    });
  });
});

describe("an unreachable API is a temporary error", () => {
  it("if the connection is refused", async () => {
    const server = await startHttpsServer(returnsVersion);
    await server.close();
    expect(await errorOf(to(server.url, server.authority))).toEqual({
      isRefused: false,
      message: `The API at ${new URL(server.url).host} can't be reached: the connection was refused; check that the API runs, and its address and port (ECONNREFUSED)`,
    });
  });

  it("if the name can't be resolved", async () => {
    const answer = await errorOf(to("https://missing.invalid:6443", null));
    expect(answer).toMatchObject({ isRefused: false, message: expect.stringMatching(/name/) });
  });

  it("if it accepts the connection but doesn't respond, within seconds", async () => {
    const silent = await listen(() => undefined);
    const began = performance.now();
    expect(await errorOf(to(silent, null))).toMatchObject({
      isRefused: false,
      message: expect.stringContaining("in time"),
    });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("if it closes the connection", async () => {
    const { url, authority } = await serve((request) => request.socket.destroy());
    expect(await errorOf(to(url, authority))).toMatchObject({
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
  ])("if it returns %i", async (status, body, message) => {
    const { url, authority } = await serve(returns(status, body));
    expect(await errorOf(to(url, authority))).toEqual({ isRefused: false, message: expect.stringMatching(message) });
  });
});

describe("an API that refuses a request", () => {
  it.each<[string, number, object, RegExp]>([
    [
      "rejects the credentials",
      401,
      { kind: "Status", reason: "Unauthorized", message: "Unauthorized" },
      /rejects the credentials.*revoked.*valid one/,
    ],
    [
      "lacks the permission, and its message is quoted",
      403,
      { kind: "Status", reason: "Forbidden", message: `User "ann"\n cannot get path "/version" with ${token}.` },
      /doesn't allow Fairlead to read its version: User "ann" cannot get path "\/version" with \[hidden\]\. Apply the manifest/,
    ],
    [
      "is another server",
      404,
      { error: `secret ${token}` },
      /has no way to read its version; check the address and its path \(404\)/,
    ],
  ])("%s", async (_, status, body, message) => {
    const { url, authority } = await serve(returns(status, body));
    expect(await errorOf(to(url, authority))).toEqual({ isRefused: true, message: expect.stringMatching(message) });
  });

  it.each<[string, Parameters<typeof startHttpsServer>[0]]>([
    ["a page", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>")],
    ["JSON of another kind", returns(200, { hello: "world" })],
    ["null", (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("null")],
  ])("is no Kubernetes API: it returns %s", async (_, answer) => {
    const { url, authority } = await serve(answer);
    expect(await errorOf(to(url, authority))).toMatchObject({
      isRefused: true,
      message: expect.stringMatching(/Kubernetes API/),
    });
  });
});

describe("as the controller's own pod", () => {
  it("is refused outside a cluster", async () => {
    expect(await errorOf({ type: "in-cluster" })).toEqual({
      isRefused: true,
      message: expect.stringContaining("Use a kubeconfig instead"),
    });
  });
});

describe("permissions", () => {
  it("are checked for each verb, a few at a time, and returned as the API reports them", async () => {
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
