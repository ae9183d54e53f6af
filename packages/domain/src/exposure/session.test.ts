import { describe, expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { deliveryOf, engineSpecOf, enginesFor } from "./delivery.ts";
import { describeSession } from "./describe-session.ts";
import { createExposure } from "./exposure.ts";
import { findDeliveryOfKeysProblem, findSessionProblem } from "./find-session-problem.ts";
import { hideSessionAddresses } from "./hide-addresses.ts";
import { sessionDefaults } from "./session.ts";
import type { SessionBackend, SessionDetail, SessionReplica } from "./session-detail.ts";
import type { SessionStrategy } from "./strategy.ts";
import { findPathProblem } from "./ticket-keys.ts";

const strategy: SessionStrategy = { type: "session", replicas: 2, poolId: newId("addressPool"), ...sessionDefaults };
const spec = {
  clusterId: newId("cluster"),
  name: "web",
  workload: { kind: "deployment", name: "web" },
  ports: [{ port: 443 }],
  strategy: { type: "session", poolId: strategy.poolId },
};

const ticketKeys = { software: "nginx", folder: "/etc/nginx/tickets/{instance}" } as const;
const managed = (change: object) => ({
  strategy: { ...spec.strategy, names: "managed", ticketKeys: { ...ticketKeys, ...change } },
});

describe("a spec of the strategy session", () => {
  it("has all defaults", () => {
    expect(createExposure.parse(spec).strategy).toEqual(strategy);
  });

  it.each<[object, string[], string]>([
    [{ ports: [{ port: 443 }, { port: 443, protocol: "udp" }] }, ["ports", "1", "protocol"], "choose tcp"],
    [{ ports: [{ port: 443, targetPort: 8443 }] }, ["ports", "0", "targetPort"], "leaves the port as it is"],
    [{ ports: [] }, ["ports"], "at least one port"],
    [{ strategy: { ...spec.strategy, delivery: "nat" } }, ["strategy", "delivery"], ""],
    [{ strategy: { ...spec.strategy, engine: "tcx" } }, ["strategy"], ""],
    [{ strategy: { ...spec.strategy, fallbacks: [] } }, ["strategy", "fallbacks"], ""],
    [{ strategy: { ...spec.strategy, fallbacks: ["proxy"] } }, ["strategy", "fallbacks"], "list proxy and plain"],
    [
      { strategy: { ...spec.strategy, fallbacks: ["plain", "proxy"] } },
      ["strategy", "fallbacks"],
      "nothing can follow",
    ],
    [
      { strategy: { ...spec.strategy, fallbacks: ["plain", "plain"] } },
      ["strategy", "fallbacks"],
      "nothing can follow",
    ],
    [{ strategy: { ...spec.strategy, sessionDrainSeconds: 86_401 } }, ["strategy", "sessionDrainSeconds"], ""],
    [{ strategy: { ...spec.strategy, drainSeconds: -1 } }, ["strategy", "drainSeconds"], ""],
    [{ strategy: { ...spec.strategy, ticketHours: 169 } }, ["strategy", "ticketHours"], ""],
    [{ strategy: { ...spec.strategy, serverNames: ["a b"] } }, ["strategy", "serverNames", "0"], "enter a name"],
    [{ strategy: { ...spec.strategy, serverNames: ["a", "a"] } }, ["strategy", "serverNames"], "list each name once"],
    [
      { strategy: { ...spec.strategy, names: "off", serverNames: ["a.example.com"] } },
      ["strategy", "serverNames"],
      "leave them out",
    ],
    [{ strategy: { ...spec.strategy, names: "managed" } }, ["strategy", "ticketKeys"], "set ticketKeys, or"],
    [{ strategy: { ...spec.strategy, ticketKeys } }, ["strategy", "ticketKeys"], "set names to managed"],
    [managed({ software: "apache" }), ["strategy", "ticketKeys", "software"], ""],
    [managed({ folder: "tickets/{instance}" }), ["strategy", "ticketKeys", "folder"], "enter an absolute path"],
    [managed({ folder: "/etc/../{instance}" }), ["strategy", "ticketKeys", "folder"], "enter an absolute path"],
    [managed({ folder: "/etc/nginx/tickets" }), ["strategy", "ticketKeys", "folder"], "put {instance} into the path"],
    [managed({ secret: "shop" }), ["strategy", "ticketKeys", "folder"], "leave {instance} out"],
    [managed({ folder: "/keys", secret: "Shop" }), ["strategy", "ticketKeys", "secret"], "enter the name of a Secret"],
    [
      managed({ software: "haproxy", folder: "/keys", secret: "shop" }),
      ["strategy", "ticketKeys", "software"],
      "choose another software",
    ],
    [managed({ socket: "/run/haproxy.sock" }), ["strategy", "ticketKeys", "socket"], "set software to haproxy"],
    [
      managed({ software: "haproxy", socket: `/${"s".repeat(107)}` }),
      ["strategy", "ticketKeys", "socket"],
      "at most 107 bytes, with the instance's name: enter a shorter one",
    ],
    [
      managed({ software: "haproxy", socket: `/${"ü".repeat(54)}` }),
      ["strategy", "ticketKeys", "socket"],
      "at most 107 bytes",
    ],
    [managed({ rotateHours: 0 }), ["strategy", "ticketKeys", "rotateHours"], ""],
  ])("is rejected at its field: %j", (change, path, message) => {
    const [issue] = createExposure.safeParse({ ...spec, ...change }).error?.issues ?? [];
    expect(issue?.path.map(String)).toEqual(path);
    expect(issue?.message).toContain(message);
  });

  it("may have managed ticket keys, rotated once a day unless set", () => {
    const parsed = createExposure.parse({ ...spec, ...managed({}) });
    expect(parsed.strategy).toEqual({
      ...{ ...strategy, names: "managed" },
      ticketKeys: { ...ticketKeys, rotateHours: 24 },
    });
    expect(
      createExposure.safeParse({ ...spec, ...managed({ software: "haproxy", socket: "/run/h.sock" }) }).success,
    ).toBe(true);
  });

  it.each<[string, string, string | undefined, string | null]>([
    ["web-1", "/etc/{instance}", "/run/{instance}.sock", null],
    ["web-1", "/etc/{instance}", `/${"s".repeat(106)}`, null],
    ["web-1", "/etc/{instance}", `/${"s".repeat(107)}`, "has more than 107 bytes: set a shorter socket"],
    ["w".repeat(200), "/etc/{instance}", "/run/{instance}.sock", "more than 107 bytes"],
    ["w".repeat(200), "/etc/{instance}", undefined, null],
    ["w".repeat(200), "/{instance}/{instance}/{instance}/{instance}/{instance}/{instance}", undefined, "1024 bytes"],
    ["../web", "/etc/{instance}", undefined, "can't be part of a path"],
    ["a..b", "/etc/{instance}", undefined, null],
  ])("has a place for the keys of %s, unless its agent rejects that: %s %s", (instance, folder, socket, problem) => {
    const found = findPathProblem({ folder, ...(socket ? { socket } : {}) }, instance);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  it("has managed ticket keys in a folder of nodes, or for pods in a Secret", () => {
    const of = (change: object) => createExposure.parse({ ...spec, ...managed(change) }).strategy;
    const [inFolder, inSecret] = [of({}), of({ folder: "/etc/nginx/tickets", secret: "shop-tickets" })];
    expect(findDeliveryOfKeysProblem(inFolder, "lab")).toBeNull();
    expect(findDeliveryOfKeysProblem(inFolder, "kubernetes")?.message).toContain("a Secret that they mount");
    expect(findDeliveryOfKeysProblem(inSecret, "kubernetes")).toBeNull();
    expect(findDeliveryOfKeysProblem(inSecret, "machines")?.path).toEqual(["strategy", "ticketKeys", "secret"]);
    expect(findDeliveryOfKeysProblem(strategy, "kubernetes")).toBeNull();
  });

  it("may have names of servers, and a target port that is the port", () => {
    const ports = [{ port: 443, targetPort: 443, protocol: "tcp" as const }];
    expect(findSessionProblem({ ...strategy, serverNames: ["a.example.com"] }, ports)).toBeNull();
  });
});

it("is carried only by the engine tcx", () => {
  expect(enginesFor(engineSpecOf(strategy, [{ port: 443 }], "lab"))).toEqual(["tcx"]);
});

it.each([
  ["lab", undefined, false, true, true, "direct"],
  // Pods are behind their node, on another network.
  ["kubernetes", undefined, true, true, true, "gue"],
  // As it was before agents unwrapped packets.
  ["kubernetes", undefined, true, true, false, "direct"],
  ["kubernetes", "direct", true, true, true, "direct"],
  // No pod has the service address yet.
  ["kubernetes", undefined, false, true, true, "proxy"],
  ["kubernetes", undefined, false, false, true, "nat"],
  ["kubernetes", "gue", false, true, false, "gue"],
  ["lab", "tunnel", true, true, true, "tunnel"],
] as const)(
  "in a %s with the delivery %s, taken by a backend: %s, with a proxy as a fallback: %s, agents that unwrap: %s, is delivered by %s",
  (kind, delivery, isTaken, mayProxy, unwraps, want) => {
    expect(deliveryOf({ delivery, isNamed: false, bySession: { isTaken, mayProxy, unwraps } }, kind)).toBe(want);
  },
);

const replica = (problem = "", fallback: SessionReplica["fallback"] = null): SessionReplica => ({
  ...{ replicaId: "rep_1", loadBalancerId: "lb_1", bySession: problem === "", problem, fallback },
  ...{ ticketsOutdatedSince: null, observedAt: null },
});
const backend = (message = ""): SessionBackend => ({
  ...{ backendId: "bak_1", loadBalancerId: "lb_1", number: 1, takesConnections: message === "", message },
  ...{
    agentId: null,
    nodeName: null,
    tickets: "unknown",
    ticketsMessage: "",
    names: [],
    ticketKey: null,
    observedAt: null,
  },
});
const key = { epoch: 1, createdAt: new Date(0) };
const fresh = { key, ticketRotation: null, replicas: [replica()], backends: [backend()] };

it.each<[Omit<SessionDetail, "message">, string]>([
  [fresh, "Placed by TLS session, on 1 of 1 backend."],
  [{ ...fresh, key: null }, "Waits for the first key of its cluster."],
  [{ ...fresh, backends: [] }, "No instance of the workload is ready."],
  [
    { ...fresh, backends: [backend("No agent.")] },
    "Places each connection on its own: no backend takes connections by TLS session. No agent.",
  ],
  [{ ...fresh, backends: [backend(), backend("No agent.")] }, "Placed by TLS session, on 1 of 2 backends. No agent."],
  [
    {
      ...fresh,
      backends: [backend("No agent.")],
      replicas: [replica("No agents.", "proxy"), replica("Other.", "proxy")],
    },
    "Carried by a proxy, which places connections by TLS session. No agents.",
  ],
  [
    {
      ...fresh,
      backends: [backend("No agent.")],
      replicas: [replica("No agents.", "proxy"), replica("Port.", "plain")],
    },
    "Places each connection on its own: no backend takes connections by TLS session. No agent.",
  ],
  [{ ...fresh, replicas: [replica("Old kernel.")] }, "Places each connection on its own. Old kernel."],
  [
    { ...fresh, replicas: [replica(), replica("Old kernel.")] },
    "Placed by TLS session on 1 of 2 replicas. Old kernel.",
  ],
])("is described in one sentence: %#", (session, want) => {
  expect(describeSession(session)).toBe(want);
});

it("hides addresses in its messages", () => {
  const message = "No listener at 10.8.0.1.";
  const session = {
    message,
    ...fresh,
    replicas: [replica(message)],
    backends: [{ ...backend(message), ticketsMessage: message }],
  };
  expect(JSON.stringify(hideSessionAddresses(session))).not.toContain("10.8.0.1");
});
