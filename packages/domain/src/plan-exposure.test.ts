import { describe, expect, it } from "vitest";
import { planExposure } from "./plan-exposure.ts";
import type { Strategy } from "./strategy.ts";

const workload = { namespace: "default", kind: "deployment" as const, name: "shop" };
const cluster = { name: "berlin", kind: "lab" as const };
const plan = (strategy: Strategy, hasDriver = true) =>
  planExposure({ name: "shop", workload, strategy }, cluster, hasDriver);

describe("a plan", () => {
  it.each(["ecmp", "session"] as const)("of %s is one address on our replicas", (type) => {
    expect(plan({ type, replicas: 3, poolId: "pool_1" })).toEqual({
      summary: "One virtual address on 3 replicas in berlin.",
      loadBalancers: [{ name: "shop", kind: "fairlead", replicas: 3, poolId: "pool_1", address: null }],
      perInstance: false,
      warnings: [],
    });
  });

  it("of adaptive too, and one replica is called what it is", () => {
    expect(plan({ type: "adaptive", replicas: 1, poolId: "pool_1", thresholdPercent: 90 })).toMatchObject({
      summary: "One virtual address on 1 replica in berlin.",
      warnings: ["One replica is no redundancy: when it stops, traffic stops."],
    });
  });

  it("says what the PROXY protocol asks of the instances", () => {
    const proxy = { type: "ecmp", replicas: 2, poolId: "pool_1", delivery: "proxy" } as const;
    expect(plan({ ...proxy, proxyProtocol: true }).warnings).toEqual([
      "Every instance must expect the PROXY protocol: others take it for the client's first bytes.",
    ]);
    expect(plan(proxy).warnings).toEqual([]);
  });

  it("of per-replica makes none before the cluster is read", () => {
    expect(plan({ type: "per-replica", addressing: "dedicated" })).toEqual({
      summary: "One load balancer for each instance of deployment default/shop, with an address map.",
      loadBalancers: [],
      perInstance: true,
      warnings: [],
    });
  });

  it("of cloud leaves replicas and address to the provider", () => {
    expect(plan({ type: "cloud", provider: "gcp", scheme: "internal" })).toEqual({
      summary: "One internal load balancer of GCP; its address comes from the provider.",
      loadBalancers: [{ name: "shop", kind: "cloud", replicas: 0, poolId: null, address: null }],
      perInstance: false,
      warnings: [],
    });
  });

  it("says when no driver can make it yet", () => {
    expect(plan({ type: "per-replica", addressing: "dedicated" }, false).warnings).toEqual([
      "No driver for lab clusters is part of this version: the wish is stored, and made once there is one.",
    ]);
  });

  it("names the pods of a selector by their labels", () => {
    const bySelector = { namespace: "default", kind: "selector" as const, selector: { app: "shop", tier: "web" } };
    const strategy = { type: "per-replica", addressing: "dedicated" } as const;
    expect(planExposure({ name: "shop", workload: bySelector, strategy }, cluster, true).summary).toBe(
      "One load balancer for each instance of the pods with app=shop, tier=web, with an address map.",
    );
  });
});
