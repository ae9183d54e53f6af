import { describe, expect, it } from "vitest";
import type { Strategy } from "../strategy.ts";
import { describeEffects } from "./describe-effects.ts";
import type { SpecForEffects } from "./effect.ts";

const ecmp = { type: "ecmp", replicas: 2, poolId: "pool_a" } as const satisfies Strategy;
const own = { type: "per-replica", addressing: "dedicated" } as const satisfies Strategy;
const sni = { ...own, addressing: "shared-sni", poolId: "pool_a", dnsZone: "old.example.com" } as const;
const cloud = { type: "cloud", provider: "aws", scheme: "public" } as const satisfies Strategy;
const workload = { namespace: "shop", kind: "deployment", name: "web" } as const;
const ports: SpecForEffects["ports"] = [
  { port: 80, protocol: "tcp" },
  { port: 443, targetPort: 8443, protocol: "tcp" },
];

/** The spec of a strategy, and what else differs from the usual. */
function spec(strategy: Strategy, more: Partial<SpecForEffects> = {}): SpecForEffects {
  return { workload, ports, strategy, ...more };
}

type Row = [field: string, before: SpecForEffects, after: SpecForEffects, effects: string[]];
const toOtherWorkload = { workload: { ...workload, name: "api" } };
const inOtherNamespace = { workload: { ...workload, namespace: "front" } };
const ends = "Workload: connections to instances that are not in the new one end after 60 seconds.";
const mayBreak = "Workload: connections to instances that are not in the new one may break.";
const otherAddresses = "Workload: clients must use the addresses and ports of the new instances.";
const servicesMove =
  "Namespace: Services move to the new one. Addresses and node ports may change, and connections may break.";

const ofSpec: Row[] = [
  ["nothing", spec(ecmp), spec(ecmp), []],
  ["workload.name", spec(ecmp), spec(ecmp, toOtherWorkload), [ends]],
  ["workload.kind", spec(ecmp), spec(ecmp, { workload: { ...workload, kind: "stateful-set" } }), [ends]],
  ["workload.selector", spec(ecmp), spec(ecmp, { workload: { ...workload, selector: { app: "web" } } }), [ends]],
  ["workload.namespace, agents", spec(ecmp), spec(ecmp, inOtherNamespace), [ends]],
  ["workload.namespace, Services", spec(cloud), spec(cloud, inOtherNamespace), [mayBreak, servicesMove]],
  ["workload, cloud", spec(cloud), spec(cloud, toOtherWorkload), [mayBreak]],
  ["workload, dedicated", spec(own), spec(own, toOtherWorkload), [mayBreak, otherAddresses]],
  [
    "workload, shared-sni",
    spec(sni),
    spec(sni, toOtherWorkload),
    [ends, "Workload: clients must use the server names of the new instances."],
  ],
  [
    "ports, one less",
    spec(ecmp),
    spec(ecmp, { ports: ports.slice(1) }),
    ["Port 80 tcp closes. Connections to it end."],
  ],
  ["ports, one more", spec(ecmp, { ports: ports.slice(1) }), spec(ecmp), []],
  [
    "ports.protocol",
    spec(ecmp),
    spec(ecmp, { ports: [{ port: 80, protocol: "udp" }, ...ports.slice(1)] }),
    ["Port 80 tcp closes. Connections to it end."],
  ],
  [
    "ports.targetPort",
    spec(ecmp),
    spec(ecmp, {
      ports: [
        { port: 80, targetPort: 80, protocol: "tcp" },
        { port: 443, protocol: "tcp" },
      ],
    }),
    ["Target of port 443 tcp: new connections go to 443 of each instance. Existing ones may break."],
  ],
  ["ports.name", spec(ecmp), spec(ecmp, { ports: ports.map((each) => ({ ...each, name: `p-${each.port}` })) }), []],
  [
    "ports, shared-port",
    spec({ ...own, addressing: "shared-port" }),
    spec({ ...own, addressing: "shared-port" }, { ports: ports.slice(1) }),
    ["Port 80 tcp closes, and so do the ports of instances counted from it. Connections to them end."],
  ],
  [
    "ports, node-port",
    spec({ ...own, addressing: "node-port" }),
    spec({ ...own, addressing: "node-port" }, { ports: ports.slice(1) }),
    ["Port 80 tcp closes, and so do its node ports. Connections to them end."],
  ],
  [
    "healthCheck",
    spec(ecmp, { healthCheck: null }),
    spec(ecmp, { healthCheck: { type: "tcp", intervalMs: 500, timeoutMs: 500, rise: 2, fall: 3 } }),
    ["Health check: instances that fail the new check get no new connections."],
  ],
  [
    "healthCheck, none",
    spec(ecmp, { healthCheck: null }),
    spec(ecmp, { healthCheck: { type: "none" } }),
    ["Health check: new connections also go to instances that are ready but don't respond."],
  ],
  ["healthCheck, not set", spec(ecmp, { healthCheck: null }), spec(ecmp), []],
  ["healthCheck, without balancers of ours", spec(cloud), spec(cloud, { healthCheck: { type: "none" } }), []],
];

const poolChanges =
  "Address pool: the address changes. Clients must use the new one; connections to the former one end.";
const fewerMayBreak = "Replicas: connections through removed ones may break.";
const shared = { ...ecmp, engine: "tcx", delivery: "direct" } as const;

const ofOwnBalancers: Row[] = [
  ["poolId", spec(ecmp), spec({ ...ecmp, poolId: "pool_b" }), [poolChanges]],
  [
    "poolId, a known address",
    spec(ecmp, { addresses: ["192.0.2.7"] }),
    spec({ ...ecmp, poolId: "pool_b" }),
    ["Address pool: the address changes. Clients must use the new one; connections to 192.0.2.7 end."],
  ],
  ["replicas, fewer", spec(ecmp), spec({ ...ecmp, replicas: 1 }), [fewerMayBreak]],
  [
    "replicas, more",
    spec(ecmp),
    spec({ ...ecmp, replicas: 3 }),
    ["Replicas: routers may move connections to added ones. With the delivery NAT or proxy, these end."],
  ],
  [
    "replicas, fewer with NAT",
    spec({ ...ecmp, delivery: "nat" }),
    spec({ ...ecmp, delivery: "nat", replicas: 1 }),
    ["Replicas: connections through removed ones end."],
  ],
  [
    "replicas, more by a proxy",
    spec({ ...ecmp, engine: "userspace" }),
    spec({ ...ecmp, engine: "userspace", replicas: 3 }),
    ["Replicas: routers may move connections to added ones. These end."],
  ],
  ["replicas that share connections", spec(shared), spec({ ...shared, replicas: 1 }), []],
  [
    "engine",
    spec({ ...ecmp, engine: "auto" }),
    spec({ ...ecmp, engine: "ipvs" }),
    ["Engine: replicas that change to another engine, or move to another node, may break connections."],
  ],
  ["engine, auto", spec(ecmp), spec({ ...ecmp, engine: "auto" }), []],
  ["delivery", spec(ecmp), spec({ ...ecmp, delivery: "nat" }), ["Delivery: existing connections may break."]],
  [
    "delivery, to prepared instances",
    spec(ecmp),
    spec({ ...ecmp, delivery: "tunnel" }),
    [
      "Delivery: existing connections may break.",
      "Delivery: instances that are not prepared for Tunnel can't be reached.",
    ],
  ],
  [
    "scheduler",
    spec({ ...ecmp, engine: "ipvs" }),
    spec({ ...ecmp, engine: "ipvs", scheduler: "rr" }),
    ["Scheduler: clients may reach another instance with their next connection."],
  ],
  [
    "proxyProtocol, on",
    spec({ ...ecmp, delivery: "proxy" }),
    spec({ ...ecmp, delivery: "proxy", proxyProtocol: true }),
    [
      "Client's address: new connections start with a PROXY header. Instances that don't expect it reject them, or read it as data.",
    ],
  ],
  [
    "proxyProtocol, off",
    spec({ ...ecmp, delivery: "proxy", proxyProtocol: true }),
    spec({ ...ecmp, delivery: "proxy", proxyProtocol: false }),
    ["Client's address: new connections have no PROXY header. Instances that expect it may reject them."],
  ],
  ["sampleClients", spec(ecmp), spec({ ...ecmp, sampleClients: true }), []],
];

const cloudMoves = "the load balancer may be replaced. Then its address changes, and connections to it end.";
const newAddressing = "Addresses: clients must use the new addresses and ports. Connections to the former ones end.";
const balancer = { ...own, addressing: "balancer", poolId: "pool_a" } as const;

const ofOthers: Row[] = [
  ["addressing", spec(own), spec({ ...own, addressing: "node-port" }), [newAddressing]],
  ["addressing, shared-port", spec(own), spec({ ...own, addressing: "shared-port" }), [newAddressing]],
  [
    "poolId, balancer",
    spec(balancer, { addresses: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] }),
    spec({ ...balancer, poolId: "pool_b" }),
    [
      "Address pool: the address of each instance changes. Clients must use the new ones; connections to 192.0.2.1, 192.0.2.2, 192.0.2.3 and 1 more end.",
    ],
  ],
  [
    "replicas, shared-sni",
    spec(sni),
    spec({ ...sni, replicas: 1 }),
    ["Replicas: connections through removed ones end."],
  ],
  [
    "keepSeconds, less than the default",
    spec(own),
    spec({ ...own, keepSeconds: 60 }),
    [
      "Address retention: the address of an instance that is missing for 60 seconds is released. If it returns, it may get another one.",
    ],
  ],
  ["keepSeconds, more", spec(own), spec({ ...own, keepSeconds: 600 }), []],
  ["drainSeconds", spec(own), spec({ ...own, drainSeconds: 1 }), []],
  [
    "dnsZone, server names",
    spec(sni),
    spec({ ...sni, dnsZone: "new.example.com" }),
    [
      "Zone of server names: new connections with names in old.example.com are rejected. Clients must use the new names.",
    ],
  ],
  [
    "dnsZone, DNS",
    spec({ ...own, dnsZone: "old.example.com" }),
    spec(own),
    ["Zone of DNS names: names in old.example.com may be removed. Clients must use addresses."],
  ],
  ["dnsZone, the first", spec(own), spec({ ...own, dnsZone: "new.example.com" }), []],
  ["provider", spec(cloud), spec({ ...cloud, provider: "gcp" }), [`Provider: ${cloudMoves}`]],
  ["scheme, public", spec({ ...cloud, scheme: "internal" }), spec(cloud), [`Reachable from: ${cloudMoves}`]],
  [
    "scheme, internal",
    spec(cloud),
    spec({ ...cloud, scheme: "internal" }),
    [`Reachable from: ${cloudMoves}`, "Reachable from: clients outside the cloud network may lose access."],
  ],
  ["type, which can't change", spec(ecmp), spec(cloud), []],
];

describe("what a change does to clients and their connections", () => {
  it.each([...ofSpec, ...ofOwnBalancers, ...ofOthers])("%s", (_, before, after, effects) => {
    expect(describeEffects(before, after)).toEqual(effects);
  });
});

it("states whether connections stay when shares change", () => {
  const placements = [
    { clusterId: "clu_a", share: 50 },
    { clusterId: "clu_b", share: 50 },
  ];
  const effect = (strategy: Strategy) => describeEffects(spec(strategy), spec(strategy, { placements }))[0];
  expect(effect(ecmp)).toContain("moves to another cluster break: only the deliveries gue and tunnel");
  expect(effect({ ...ecmp, delivery: "gue" })).toContain("stay at their instances");
});
