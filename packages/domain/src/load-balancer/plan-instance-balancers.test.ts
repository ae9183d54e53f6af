import { describe, expect, it } from "vitest";
import type { DesiredExposure, DesiredLoadBalancer } from "../exposure/exposure-state.ts";
import type { Strategy } from "../exposure/strategy.ts";
import { planInstanceBalancers } from "./plan-instance-balancers.ts";

const balancer = (instance: string | null, other: Partial<DesiredLoadBalancer> = {}): DesiredLoadBalancer => ({
  id: `lb_${instance}`,
  name: instance ?? "cache",
  kind: "cloud",
  instance,
  instanceGoneAt: null,
  address: null,
  deletedAt: null,
  replicas: [],
  ...other,
});

const spec = (loadBalancers: DesiredLoadBalancer[], other: Partial<DesiredExposure> = {}): DesiredExposure => ({
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
const nothing = { create: [], remove: [], missed: [], found: [], nextInMs: null };
const now = new Date("2026-11-25T02:00:00Z");
const plan = (desired: DesiredExposure, there: ReturnType<typeof instances>) =>
  planInstanceBalancers(desired, there, now);

describe("the balancers of instances", () => {
  it("are created for instances without one, sorted by name", () => {
    expect(plan(spec([balancer("redis-1")]), instances("redis-2", "redis-1", "redis-0"))).toEqual({
      ...nothing,
      create: [
        { name: "redis-0", instance: "redis-0", kind: "cloud" },
        { name: "redis-2", instance: "redis-2", kind: "cloud" },
      ],
    });
  });

  it("keep their addresses for an instance that is gone, and then are removed", () => {
    const goneSince = (seconds: number) =>
      spec([balancer("redis-0"), balancer("redis-1", { instanceGoneAt: new Date(now.getTime() - seconds * 1_000) })]);
    const there = instances("redis-0");
    expect(plan(spec([balancer("redis-0"), balancer("redis-1")]), there)).toEqual({
      ...nothing,
      missed: ["lb_redis-1"],
      nextInMs: 300_000,
    });
    expect(plan(goneSince(299), there)).toEqual({ ...nothing, nextInMs: 1_000 });
    expect(plan(goneSince(300), there)).toEqual({ ...nothing, remove: ["lb_redis-1"] });
    expect(plan(goneSince(299), instances("redis-0", "redis-1"))).toEqual({ ...nothing, found: ["lb_redis-1"] });
  });

  it("are removed at once if the spec keeps nothing, or if they belong to no instance", () => {
    const strategy = { type: "per-replica", addressing: "dedicated", keepSeconds: 0 } as const;
    expect(
      plan(spec([balancer("redis-0"), balancer("redis-1"), balancer(null)], { strategy }), instances("redis-0")),
    ).toEqual({
      ...nothing,
      remove: ["lb_redis-1", "lb_null"],
    });
    expect(plan(spec([balancer(null)]), [])).toEqual({ ...nothing, remove: ["lb_null"] });
  });

  it.each<[Extract<Strategy, { type: "per-replica" }>["addressing"], "cloud" | "fairlead"]>([
    ["dedicated", "cloud"],
    ["node-port", "cloud"],
    ["balancer", "fairlead"],
  ])("of %s are of the kind %s", (addressing, kind) => {
    const strategy = { type: "per-replica", addressing } as const;
    expect(plan(spec([], { strategy }), instances("a")).create).toEqual([{ name: "a", instance: "a", kind }]);
  });

  it.each(["shared-port", "shared-sni"] as const)(
    "don't exist with the shared address of %s, and former ones are removed",
    (addressing) => {
      const strategy = { type: "per-replica", addressing } as const;
      expect(plan(spec([balancer(null), balancer("a")], { strategy }), instances("a"))).toEqual({
        ...nothing,
        remove: ["lb_a"],
      });
    },
  );

  it("are replaced when a changed addressing requires another kind: removed first, then created", () => {
    const strategy = { type: "per-replica", addressing: "balancer" } as const;
    expect(plan(spec([balancer("a")], { strategy }), instances("a"))).toEqual({ ...nothing, remove: ["lb_a"] });
    const leaving = spec([balancer("a", { deletedAt: new Date() })], { strategy });
    expect(plan(leaving, instances("a"))).toEqual(nothing);
    expect(plan(spec([], { strategy }), instances("a")).create).toEqual([
      { name: "a", instance: "a", kind: "fairlead" },
    ]);
  });

  it("stay if a changed addressing requires the same kind", () => {
    const strategy = { type: "per-replica", addressing: "node-port" } as const;
    expect(plan(spec([balancer("a")], { strategy }), instances("a"))).toEqual(nothing);
  });

  it("are not planned for another strategy, or while the exposure is being deleted", () => {
    const cloud = { type: "cloud", provider: "aws", scheme: "public" } as const;
    expect(plan(spec([balancer(null)], { strategy: cloud }), instances("a"))).toEqual(nothing);
    expect(plan(spec([], { deletedAt: new Date() }), instances("a"))).toEqual(nothing);
  });
});
