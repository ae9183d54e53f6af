import type { CreateExposure } from "@fairlead/domain/exposure";
import { describe, expect, it } from "vitest";
import { asSentence, checkDraft } from "./check-draft.ts";
import { describeAdvanced } from "./describe-advanced.ts";
import { draftOf, type ExposureDraft, emptyDraft, emptyPort } from "./draft.ts";
import { draftFor, type Prefilled } from "./draft-for.ts";
import { emptyHealthCheck } from "./health-check-draft.ts";
import { stillNeeded } from "./still-needed.ts";
import { mergeStored, readStoredDraft, storeDraft } from "./stored-draft.ts";

const clusterId = "clu_01kav3x0zq8w4m2n6r5t7y9b1c";
const poolId = "pool_01kav3x0zq8w4m2n6r5t7y9b1c";

function filled(change: Partial<ExposureDraft> = {}): ExposureDraft {
  const ports = [{ ...emptyPort([]), port: "443", targetPort: "8443" }];
  return { ...emptyDraft(clusterId), name: "shop", workloadName: "shop-web", ports, poolId, ...change };
}

describe("checkDraft", () => {
  it("converts a complete form to a spec", () => {
    expect(checkDraft(filled()).spec).toEqual({
      clusterId,
      name: "shop",
      workload: { namespace: "default", kind: "deployment", name: "shop-web" },
      ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
      strategy: { type: "ecmp", replicas: 2, poolId },
      healthCheck: null,
      labels: {},
    });
  });

  it("reads the advanced fields, and only the health check fields of the selected kind", () => {
    const healthCheck = {
      ...emptyHealthCheck(),
      kind: "http" as const,
      path: "/healthz",
      statuses: "200, 204",
      send: "x",
    };
    const { spec } = checkDraft(filled({ engine: "tcx", delivery: "nat", healthCheck }));
    expect(spec?.strategy).toMatchObject({ engine: "tcx", delivery: "nat" });
    const timing = { intervalMs: 1_000, timeoutMs: 1_000, rise: 2, fall: 3 };
    expect(spec?.healthCheck).toEqual({ type: "http", path: "/healthz", statuses: [200, 204], ...timing });
    expect(checkDraft(filled({ strategy: "session", healthCheck })).spec).not.toHaveProperty("healthCheck");
  });

  it("includes a scheduler only for ipvs, and the PROXY protocol only for a proxy", () => {
    const both = { scheduler: "wlc", clientAddress: "proxy-protocol" } as const;
    const strategyOf = (change: Partial<ExposureDraft>) => checkDraft(filled({ ...both, ...change })).spec?.strategy;
    const plain = { type: "ecmp", replicas: 2, poolId };
    expect(strategyOf({})).toEqual(plain);
    expect(strategyOf({ engine: "ipvs", delivery: "nat" })).toEqual({
      ...plain,
      engine: "ipvs",
      delivery: "nat",
      scheduler: "wlc",
    });
    expect(strategyOf({ delivery: "proxy" })).toEqual({ ...plain, delivery: "proxy", proxyProtocol: true });
  });

  it("includes only the fields of the selected strategy", () => {
    expect(checkDraft(filled({ strategy: "cloud" })).spec?.strategy).toEqual({
      type: "cloud",
      provider: "aws",
      scheme: "public",
    });
    expect(checkDraft(filled({ strategy: "per-replica" })).spec?.strategy).toEqual({
      type: "per-replica",
      addressing: "dedicated",
    });
    expect(checkDraft(filled({ strategy: "adaptive" })).spec?.strategy).toMatchObject({ thresholdPercent: 90 });
  });

  it.each<[ExposureDraft["addressing"], object]>([
    ["dedicated", { dnsZone: "games.example.com", keepSeconds: 60, drainSeconds: 5 }],
    ["node-port", { dnsZone: "games.example.com", keepSeconds: 60, drainSeconds: 5 }],
    ["shared-port", {}],
    ["balancer", { keepSeconds: 60, replicas: 2, poolId }],
    ["shared-sni", { dnsZone: "games.example.com", replicas: 2, poolId }],
  ])("includes only the fields that the form shows for the addressing %s", (addressing, want) => {
    const left = { dnsZone: "games.example.com", keepSeconds: "60", drainSeconds: "5" };
    const { spec } = checkDraft(filled({ strategy: "per-replica", addressing, ...left }));
    expect(spec?.strategy).toEqual({ type: "per-replica", addressing, ...want });
  });

  it("isn't blocked by an invalid value of a field that the form hides", () => {
    const left = { dnsZone: "-", keepSeconds: "soon", drainSeconds: "x" };
    expect(checkDraft(filled({ strategy: "per-replica", addressing: "shared-port", ...left })).problems).toBeNull();
    expect(checkDraft(filled({ strategy: "per-replica", addressing: "dedicated", ...left })).problems).toMatchObject({
      "strategy.keepSeconds": "Enter seconds between 0 and 86400, or leave it empty for five minutes.",
    });
  });

  it("has a message for every required field of a new form", () => {
    expect(checkDraft(emptyDraft()).problems).toEqual({
      clusterId: "Choose the cluster that runs the workload.",
      name: "Enter a name.",
      "workload.name": "Enter the name of the deployment to expose.",
      "ports.0.port": "Enter a port between 1 and 65535.",
      "strategy.poolId": "Choose the pool that its address comes from.",
    });
  });

  it.each<[string, Partial<ExposureDraft>, string, string]>([
    ["a capital in the name", { name: "Shop" }, "name", "Use lower-case letters, digits and dashes, not at the ends."],
    ["no port", { ports: [] }, "ports", "Expose at least one port."],
    [
      "a port in hex",
      { ports: [{ ...emptyPort([]), port: "0x50" }] },
      "ports.0.port",
      "Enter a port between 1 and 65535.",
    ],
    [
      "a port twice",
      { ports: [filled().ports[0] ?? emptyPort([]), { ...emptyPort([]), key: "2", port: "443" }] },
      "ports.1.port",
      "tcp/443 is listed twice.",
    ],
    ["too many replicas", { replicas: "65" }, "strategy.replicas", "Enter a number of replicas between 1 and 64."],
    ["an empty selector", { workloadKind: "selector" }, "workload.selector", "A selector needs at least one label."],
    [
      "a label twice",
      {
        labels: [
          { key: "1", name: "team", value: "a" },
          { key: "2", name: "team", value: "b" },
        ],
      },
      "labels",
      "Duplicate team. Keep one.",
    ],
    [
      "an interval that is not a number",
      { healthCheck: { ...emptyHealthCheck(), kind: "tcp", intervalMs: "1s" } },
      "healthCheck.intervalMs",
      "Enter milliseconds between 100 and 300000.",
    ],
    [
      "an invalid status",
      { healthCheck: { ...emptyHealthCheck(), kind: "https", statuses: "200, 20x" } },
      "healthCheck.statuses",
      "Enter up to 32 statuses between 100 and 599, comma-separated.",
    ],
    [
      "a path without a slash",
      { healthCheck: { ...emptyHealthCheck(), kind: "http", path: "healthz" } },
      "healthCheck.path",
      "A path begins with a slash, has no blanks, and writes % as %25.",
    ],
    [
      "a UDP check without data to send",
      { healthCheck: { ...emptyHealthCheck(), kind: "udp" } },
      "healthCheck.send",
      "Enter what to send.",
    ],
    [
      "balancers per instance without a pool",
      { strategy: "per-replica", addressing: "balancer", poolId: "", name: "" },
      "strategy.poolId",
      "The addressing balancer takes an address for each instance from a pool: choose one of the cluster's.",
    ],
    [
      "a delivery that the engine doesn't support, while the name is still missing",
      { name: "", engine: "userspace", delivery: "direct" },
      "strategy.delivery",
      "Userspace can't deliver by direct, only by proxy: choose one of these, or leave out the delivery.",
    ],
  ])("rejects %s at its field", (_what, change, path, message) => {
    expect(checkDraft(filled(change)).problems).toMatchObject({ [path]: message });
  });

  it("ignores empty label rows", () => {
    const labels = [{ key: "1", name: "", value: "" }];
    expect(checkDraft(filled({ labels })).spec?.labels).toEqual({});
  });
});

it("round-trips every kind of spec", () => {
  const base = { clusterId, name: "shop", labels: { team: "web" }, ports: [{ port: 53, protocol: "udp" as const }] };
  const workload = { namespace: "shop", kind: "stateful-set" as const, name: "db" };
  const timing = { intervalMs: 250, timeoutMs: 200, rise: 1, fall: 5 };
  const specs: CreateExposure[] = [
    {
      ...{ ...base, ports: [{ port: 443, protocol: "tcp" }], workload, healthCheck: null },
      strategy: { type: "per-replica", addressing: "shared-sni", replicas: 2, poolId, dnsZone: "games.example.com" },
    },
    {
      ...base,
      workload,
      strategy: {
        type: "per-replica",
        addressing: "dedicated",
        dnsZone: "games.example.com",
        keepSeconds: 0,
        drainSeconds: 60,
      },
    },
    {
      ...base,
      workload,
      strategy: { type: "per-replica", addressing: "balancer", replicas: 3, poolId },
      healthCheck: { type: "none" },
    },
    { ...base, workload, strategy: { type: "ecmp", replicas: 3, poolId }, healthCheck: null },
    {
      ...base,
      workload,
      strategy: { type: "ecmp", replicas: 3, poolId, engine: "xdp", delivery: "tunnel" },
      healthCheck: { type: "grpc", service: "shop.Cart", port: 9_000, ...timing },
    },
    {
      ...base,
      workload,
      strategy: { type: "ecmp", replicas: 1, poolId },
      healthCheck: { type: "https", path: "/up", host: "shop.test", statuses: [200, 404], ...timing },
    },
    {
      ...base,
      workload,
      strategy: { type: "ecmp", replicas: 1, poolId },
      healthCheck: { type: "udp", send: "ping", expect: "pong", ...timing },
    },
    { ...base, workload, strategy: { type: "ecmp", replicas: 1, poolId }, healthCheck: { type: "none" } },
    {
      ...base,
      workload,
      strategy: { type: "ecmp", replicas: 1, poolId, engine: "ipvs", scheduler: "sed" },
      healthCheck: null,
    },
    {
      ...base,
      workload,
      strategy: { type: "ecmp", replicas: 1, poolId, delivery: "proxy", proxyProtocol: true },
      healthCheck: null,
    },
    { ...base, workload, strategy: { type: "session", replicas: 3, poolId } },
    { ...base, workload, strategy: { type: "adaptive", replicas: 3, poolId, thresholdPercent: 80 } },
    {
      ...base,
      workload: { namespace: "shop", kind: "selector", selector: { app: "db", tier: "data" } },
      strategy: { type: "cloud", provider: "gcp", scheme: "internal" },
    },
  ];
  for (const spec of specs) expect(checkDraft(draftOf(spec)).spec).toEqual(spec);
});

it("keeps a sentence of the server unchanged", () => {
  expect(asSentence("local already has an exposure named web.")).toBe("local already has an exposure named web.");
  expect(asSentence("enter a name")).toBe("Enter a name.");
});

it("names what is missing for a preview", () => {
  expect(stillNeeded(checkDraft(emptyDraft()).problems ?? {})).toBe(
    "Missing: a cluster, a name, the workload's name, a valid port and an address pool.",
  );
  expect(stillNeeded({ name: "" })).toBe("Missing: a name.");
});

it("summarises the advanced fields in one line", () => {
  expect(describeAdvanced(filled())).toBe(
    "Health check: a TCP connection every second, for TCP ports. Engine: the best of each host.",
  );
  const healthCheck = { ...emptyHealthCheck(), kind: "http" as const, path: "/up", port: "8080", intervalMs: "1500" };
  expect(describeAdvanced(filled({ healthCheck, engine: "tcx", delivery: "nat" }))).toBe(
    "Health check: HTTP /up on port 8080, every 1500 ms; healthy after 2, unhealthy after 3 in a row. Engine: tcx, delivery NAT.",
  );
  const proxied = filled({ delivery: "proxy", clientAddress: "proxy-protocol" });
  expect(describeAdvanced(proxied)).toContain("Engine: the best of each host, delivery Proxy with the PROXY protocol.");
  expect(describeAdvanced(filled({ engine: "ipvs", scheduler: "wlc" }))).toContain("Engine: ipvs, scheduler wlc.");
});

it.each<[string, Prefilled, Partial<ExposureDraft>]>([
  ["as it was, without a link", draftFor({}), {}],
  ["as it was, for its own cluster", draftFor({ cluster: clusterId }), {}],
  [
    "in the cluster of the link, whose pools are others",
    draftFor({ cluster: "clu_2" }),
    { clusterId: "clu_2", poolId: "" },
  ],
  [
    "as it was, for its own workload",
    draftFor({ cluster: clusterId, kind: "deployment", namespace: "default", name: "shop-web" }),
    {},
  ],
])("restores stored input %s", (_, link, change) => {
  expect(mergeStored(filled(), link)).toEqual({ restored: true, draft: filled(change) });
});

it.each<[string, Prefilled]>([
  ["another workload", draftFor({ cluster: clusterId, kind: "deployment", namespace: "default", name: "api" })],
  ["the workload's name in another cluster", draftFor({ cluster: "clu_2", kind: "deployment", name: "shop-web" })],
  ["a copy of an exposure", { draft: filled({ name: "" }), fills: "everything" }],
])("only offers stored input if the link is for %s", (_, link) => {
  expect(mergeStored(filled(), link)).toEqual({ restored: false, draft: filled() });
});

it("keeps a draft across a reload, and drops one with another format", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  storeDraft(storage, filled());
  expect(readStoredDraft(storage)).toEqual(filled());
  for (const key of kept.keys()) kept.set(key, '{"name":7}');
  expect(readStoredDraft(storage)).toBeNull();
  storeDraft(storage, null);
  expect(readStoredDraft(storage)).toBeNull();
});
