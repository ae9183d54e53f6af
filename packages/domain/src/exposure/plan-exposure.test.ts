import { describe, expect, it } from "vitest";
import type { ReachedCluster } from "./find-lack.ts";
import { planExposure } from "./plan-exposure.ts";
import { sessionDefaults } from "./session.ts";
import type { Strategy } from "./strategy.ts";

const workload = { namespace: "default", kind: "deployment" as const, name: "shop" };
const lab = { name: "berlin", kind: "lab" as const, isAttached: false };
const kubernetes = { name: "berlin", kind: "kubernetes" as const, isAttached: true };
const plan = (strategy: Strategy, cluster: ReachedCluster = strategy.type === "ecmp" ? lab : kubernetes) =>
  planExposure({ name: "shop", workload, strategy }, cluster);

describe("a plan", () => {
  it("of ecmp is one address on our replicas", () => {
    expect(plan({ type: "ecmp", replicas: 3, poolId: "pool_1" })).toEqual({
      summary: "One virtual address on 3 replicas in berlin.",
      loadBalancers: [{ name: "shop", kind: "fairlead", replicas: 3, poolId: "pool_1", address: null }],
      perInstance: false,
      warnings: [],
    });
  });

  it("of session too, with a warning about a single replica", () => {
    const strategy: Strategy = { type: "session", replicas: 1, poolId: "pool_1", ...sessionDefaults };
    expect(plan(strategy, lab)).toMatchObject({
      summary: "One virtual address on 1 replica in berlin.",
      warnings: [
        expect.stringContaining("Their nodes need an agent of the role backend"),
        "One replica has no redundancy: when it stops, traffic stops.",
      ],
    });
  });

  it("of adaptive has one virtual address on each node, and warns that only these reach it", () => {
    expect(plan({ type: "adaptive", poolId: "pool_1" }, lab)).toEqual({
      summary: "One virtual address on each node of berlin with an agent of the role adaptive.",
      loadBalancers: [{ name: "shop", kind: "fairlead", replicas: 0, poolId: "pool_1", address: null }],
      perInstance: false,
      warnings: [
        "Only nodes with an agent of the role adaptive connect clients to the address. It is not announced, so clients outside the cluster don't reach it.",
      ],
    });
  });

  it("of adaptive has balancers for clients outside, if the spec has", () => {
    const outside = (replicas: number) => plan({ type: "adaptive", poolId: "pool_1", outside: { replicas } }, lab);
    expect(outside(2)).toEqual({
      summary:
        "One virtual address on each node of berlin with an agent of the role adaptive, and on 2 balancers for clients outside.",
      loadBalancers: [{ name: "shop", kind: "fairlead", replicas: 2, poolId: "pool_1", address: null }],
      perInstance: false,
      warnings: ["In the cluster, only nodes with an agent of the role adaptive connect clients to the address."],
    });
    expect(outside(1).warnings[0]).toBe("One balancer has no redundancy: when it stops, clients outside lose access.");
  });

  it("warns that instances must expect the PROXY protocol", () => {
    const proxy = { type: "ecmp", replicas: 2, poolId: "pool_1", delivery: "proxy" } as const;
    expect(plan({ ...proxy, proxyProtocol: true }).warnings).toEqual([
      "Every instance must expect the PROXY protocol: others would read its header as data from the client.",
    ]);
    expect(plan(proxy).warnings).toEqual([]);
  });

  it("of per-replica has no balancers before the cluster is read", () => {
    expect(plan({ type: "per-replica", addressing: "dedicated" })).toEqual({
      summary: "One load balancer for each instance of deployment default/shop, with an address map.",
      loadBalancers: [],
      perInstance: true,
      warnings: [],
    });
  });

  it("of cloud leaves replicas and address to the provider", () => {
    expect(plan({ type: "cloud", provider: "gcp", scheme: "internal" })).toEqual({
      summary: "One internal load balancer of Google Cloud; its address comes from the provider.",
      loadBalancers: [{ name: "shop", kind: "cloud", replicas: 0, poolId: null, address: null }],
      perInstance: false,
      warnings: [],
    });
  });

  it("of shared ports is one address for any number of instances", () => {
    expect(plan({ type: "per-replica", addressing: "shared-port" })).toEqual({
      summary: "One address for all instances of deployment default/shop, and a port for each, with an address map.",
      loadBalancers: [{ name: "shop", kind: "cloud", replicas: 0, poolId: null, address: null }],
      perInstance: false,
      warnings: [],
    });
  });

  it("of server names is one address on our balancers", () => {
    const dnsZone = "games.example.com";
    expect(plan({ type: "per-replica", addressing: "shared-sni", poolId: "pool_1", dnsZone }, lab)).toEqual({
      summary:
        "One address for all instances of deployment default/shop on 2 replicas of ours, distinguished by TLS server names in games.example.com, with an address map.",
      loadBalancers: [{ name: "shop", kind: "fairlead", replicas: 2, poolId: "pool_1", address: null }],
      perInstance: false,
      warnings: ["Instances must speak TLS from the first byte: connections without a server name are rejected."],
    });
  });

  it.each<[string, Strategy, ReachedCluster]>([
    [
      "This version has no driver for the strategy per-replica with the addressing dedicated in lab clusters. The exposure is stored, and created by a version that has one.",
      { type: "per-replica", addressing: "dedicated" },
      lab,
    ],
    [
      "berlin is not attached, so its pods are unknown: add its kubeconfig. The exposure is stored, and created once the cluster is attached.",
      { type: "per-replica", addressing: "node-port" },
      { ...kubernetes, isAttached: false },
    ],
    [
      "The addressing shared-sni needs a pool and a DNS zone: set both in the exposure. The exposure is stored, and created once both are set.",
      { type: "per-replica", addressing: "shared-sni" },
      kubernetes,
    ],
    [
      "This version has no driver for the strategy ecmp in machines clusters. The exposure is stored, and created by a version that has one.",
      { type: "ecmp", replicas: 2, poolId: "pool_1" },
      { name: "hall", kind: "machines", isAttached: false },
    ],
    [
      "berlin is not attached, so its pods are unknown: add its kubeconfig. The exposure is stored, and created once the cluster is attached.",
      { type: "ecmp", replicas: 2, poolId: "pool_1" },
      { ...kubernetes, isAttached: false },
    ],
  ])("warns: %s", (sentence, strategy, cluster) => {
    expect(plan(strategy, cluster).warnings).toEqual([sentence]);
  });

  it("of per-replica uses the requested number of our replicas, in any cluster that reports instances", () => {
    const strategy = { type: "per-replica", addressing: "balancer", replicas: 1, poolId: "pool_1" } as const;
    expect(plan(strategy, lab)).toEqual({
      summary:
        "One load balancer of ours for each instance of deployment default/shop, on 1 replica, with an address of its own and an address map.",
      loadBalancers: [],
      perInstance: true,
      warnings: ["One replica has no redundancy: when it stops, traffic stops."],
    });
    expect(plan({ ...strategy, replicas: 2 }, kubernetes).warnings).toEqual([]);
    expect(plan({ ...strategy, replicas: 2 }, { name: "hall", kind: "machines", isAttached: false }).warnings).toEqual([
      "This version has no driver for the strategy per-replica with the addressing balancer in machines clusters. The exposure is stored, and created by a version that has one.",
    ]);
  });

  it("describes the pods of a selector by their labels", () => {
    const bySelector = { namespace: "default", kind: "selector" as const, selector: { app: "shop", tier: "web" } };
    const strategy = { type: "per-replica", addressing: "dedicated" } as const;
    expect(planExposure({ name: "shop", workload: bySelector, strategy }, kubernetes).summary).toBe(
      "One load balancer for each instance of the pods with app=shop, tier=web, with an address map.",
    );
  });
});
