import type { IncomingMessage } from "node:http";
import { afterEach, expect, it } from "vitest";
import { connect, type KubernetesCalls } from "../index.ts";
import { sendJson, startHttpsServer } from "../testing/https-server.ts";
import { keepService } from "../view/objects.ts";
import { Turns } from "./turns.ts";

const signal = AbortSignal.timeout(60_000);
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Answer = [status: number, body: object, headers?: Record<string, string>];

/** Calls to a server that returns these responses in order. */
async function callsTo(answers: Answer[]): Promise<{ calls: KubernetesCalls; requests: Request[] }> {
  const requests: Request[] = [];
  const server = await startHttpsServer(({ method = "", url = "", headers, socket }, response, body) => {
    requests.push({ line: `${method} ${url}`, type: headers["content-type"], body, socket });
    const [status, answer, more = {}] = answers.shift() ?? [500, { message: "no answer is left" }];
    for (const [name, value] of Object.entries(more)) response.setHeader(name, value);
    sendJson(response, status, answer);
  });
  closing.push(server.close);
  const auth = { type: "token", token: "t" } as const;
  const access = { server: server.url, certificateAuthority: server.authority, tlsServerName: null, auth };
  const { calls, close } = connect({ type: "kubeconfig", ...access }, { turns: new Turns() });
  closing.push(close);
  return { calls, requests };
}

type Request = { line: string; type: string | undefined; body: string; socket: IncomingMessage["socket"] };

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    ...{ name: "redis-0", namespace: "shop", uid: "u-1", resourceVersion: "7" },
    creationTimestamp: "2026-03-01T10:00:00Z",
    labels: { part: "cache" },
    annotations: { time: "2026-03-01T10:00:00.000Z or so" },
    ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "redis", uid: "u-0", controller: true }],
  },
  spec: { type: "LoadBalancer", ports: [{ name: "a", protocol: "TCP", port: 1, targetPort: "named" }] },
  status: {
    loadBalancer: { ingress: [{ ip: "203.0.113.7" }] },
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-03-01T10:00:01Z" }],
  },
};
const path = "/api/v1/namespaces/shop/services/redis-0";

it("returns an object in the same form as a list, so that a write is not seen as a change", async () => {
  const { calls } = await callsTo([[200, service]]);
  const received = await calls.readService({ namespace: "shop", name: "redis-0" }, signal);
  expect(received).toStrictEqual(service);
  expect(keepService(received)).toStrictEqual(keepService(service));
});

it("applies and patches with the field manager", async () => {
  const { calls, requests } = await callsTo([
    [200, service],
    [200, service],
  ]);
  await calls.applyService({ metadata: { namespace: "shop", name: "redis-0" }, spec: { type: "NodePort" } }, signal);
  await calls.patchService({ namespace: "shop", name: "redis-0" }, { metadata: { labels: { part: null } } }, signal);
  expect(requests.map(({ line, type, body }) => [line, type, JSON.parse(body)])).toEqual([
    [
      `PATCH ${path}?fieldManager=fairlead&force=true`,
      "application/apply-patch+yaml",
      { metadata: { namespace: "shop", name: "redis-0" }, spec: { type: "NodePort" } },
    ],
    [`PATCH ${path}?fieldManager=fairlead`, "application/merge-patch+json", { metadata: { labels: { part: null } } }],
  ]);
});

it("reuses its connections, unlike the library's own client", async () => {
  const { calls, requests } = await callsTo(Array.from({ length: 12 }, (): Answer => [200, service]));
  for (let sent = 0; sent < 12; sent++) await calls.readService({ namespace: "shop", name: "redis-0" }, signal);
  // A connection whose response has just ended may not be free yet.
  expect(new Set(requests.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2);
});

it.each([
  ["deleted at once", 200, { kind: "Status", status: "Success" }, { wasThere: true, left: null }],
  [
    "held by a finalizer",
    200,
    { ...service, metadata: { ...service.metadata, finalizers: ["cleanup"] } },
    { wasThere: true, left: { ...service, metadata: { ...service.metadata, finalizers: ["cleanup"] } } },
  ],
  ["not found", 404, { kind: "Status", reason: "NotFound" }, { wasThere: false, left: null }],
  ["another object of the same name", 409, { kind: "Status", reason: "Conflict" }, { wasThere: false, left: null }],
])("removes only the object with the UID: %s", async (_, status, body, removed) => {
  const { calls, requests } = await callsTo([[status, body]]);
  expect(await calls.removeService({ namespace: "shop", name: "redis-0", uid: "u-1" }, signal)).toStrictEqual(removed);
  expect(requests[0]?.line).toBe(`DELETE ${path}`);
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ preconditions: { uid: "u-1" } });
});

it("sends a throttled call again after the server's Retry-After", async () => {
  const { calls, requests } = await callsTo([
    [429, { kind: "Status", reason: "TooManyRequests" }, { "retry-after": "1" }],
    [200, service],
  ]);
  const startedAt = performance.now();
  await calls.readService({ namespace: "shop", name: "redis-0" }, signal);
  expect(requests).toHaveLength(2);
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

it("rejects a response that is no object", async () => {
  const { calls } = await callsTo([[200, { hello: "world" }]]);
  await expect(calls.readService({ namespace: "shop", name: "redis-0" }, signal)).rejects.toThrow(SyntaxError);
});
