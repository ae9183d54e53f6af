import { describe, expect, it } from "vitest";
import type { DesiredExposure, DesiredLoadBalancer } from "./exposure-state.ts";
import { planInstanceBalancers } from "./plan-instance-balancers.ts";
import type { Strategy } from "./strategy.ts";

const balancer = (instance: string | null, other: Partial<DesiredLoadBalancer> = {}): DesiredLoadBalancer => ({
  id: `lb_${instance}`,
  name: instance ?? "cache",
  kind: "cloud",
  instance,
  address: null,
  deletedAt: null,
  replicas: [],
  ...other,
});

const wish = (loadBalancers: DesiredLoadBalancer[], other: Partial<DesiredExposure> = {}): DesiredExposure => ({
  id: "exp_1",
  organizationId: "org_1",
  cluster: { id: "clu_1", name: "berlin", kind: "kubernetes" },
  name: "cache",
  workload: { namespace: "default", kind: "stateful-set", name: "redis" },
  ports: [{ port: 6379, protocol: "tcp" }],
  strategy: { type: "per-replica", addressing: "dedicated" },
  healthCheck: null,
  labels: {},
  generation: 1,
  deletedAt: null,
  applied: true,
  loadBalancers,
  ...other,
});

const instances = (...names: string[]) => names.map((name) => ({ name, ready: true }));
const nothing = { create: [], remove: [] };

describe("the balancers of instances", () => {
  it("are made for instances that have none, in the order of their names", () => {
    expect(planInstanceBalancers(wish([balancer("redis-1")]), instances("redis-2", "redis-1", "redis-0"))).toEqual({
      create: [
        { name: "redis-0", instance: "redis-0", kind: "cloud" },
        { name: "redis-2", instance: "redis-2", kind: "cloud" },
      ],
      remove: [],
    });
  });

  it("go with their instances", () => {
    const plan = planInstanceBalancers(wish([balancer("redis-0"), balancer("redis-1"), balancer(null)]), [
      { name: "redis-0", ready: false },
    ]);
    expect(plan).toEqual({ create: [], remove: ["lb_redis-1", "lb_null"] });
  });

  it.each<[Extract<Strategy, { type: "per-replica" }>["addressing"], "cloud" | "fairlead"]>([
    ["dedicated", "cloud"],
    ["node-port", "cloud"],
    ["shared-port", "fairlead"],
    ["shared-sni", "fairlead"],
    ["balancer", "fairlead"],
  ])("of %s are of the kind %s", (addressing, kind) => {
    const plan = planInstanceBalancers(wish([], { strategy: { type: "per-replica", addressing } }), instances("a"));
    expect(plan.create).toEqual([{ name: "a", instance: "a", kind }]);
  });

  it("of another kind than a changed addressing asks for go first, and are made anew when they have gone", () => {
    const strategy = { type: "per-replica", addressing: "balancer" } as const;
    expect(planInstanceBalancers(wish([balancer("a")], { strategy }), instances("a"))).toEqual({
      create: [],
      remove: ["lb_a"],
    });
    const leaving = wish([balancer("a", { deletedAt: new Date() })], { strategy });
    expect(planInstanceBalancers(leaving, instances("a"))).toEqual(nothing);
    expect(planInstanceBalancers(wish([], { strategy }), instances("a")).create).toEqual([
      { name: "a", instance: "a", kind: "fairlead" },
    ]);
  });

  it("stay when the addressing changes to one with the same kind", () => {
    const strategy = { type: "per-replica", addressing: "node-port" } as const;
    expect(planInstanceBalancers(wish([balancer("a")], { strategy }), instances("a"))).toEqual(nothing);
  });

  it("are no concern of another strategy, nor of an exposure that is being deleted", () => {
    const cloud = { type: "cloud", provider: "aws", scheme: "public" } as const;
    expect(planInstanceBalancers(wish([balancer(null)], { strategy: cloud }), instances("a"))).toEqual(nothing);
    expect(planInstanceBalancers(wish([], { deletedAt: new Date() }), instances("a"))).toEqual(nothing);
  });
});
