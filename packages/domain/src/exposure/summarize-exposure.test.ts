import { describe, expect, it } from "vitest";
import type { DesiredExposure, ObservedLoadBalancer } from "./exposure-state.ts";
import { summarizeExposure } from "./summarize-exposure.ts";

const balancer = (id: string, phase: ObservedLoadBalancer["phase"], message = ""): ObservedLoadBalancer => ({
  id,
  phase,
  message,
  address: null,
  replicas: [],
  backends: [],
  mappings: [],
});

const wanted = (id: string, instance: string | null = null, deletedAt: Date | null = null) => ({
  id,
  name: id,
  kind: "cloud" as const,
  instance,
  instanceGoneAt: null,
  address: null,
  deletedAt,
  replicas: [],
});

function desired(
  loadBalancers: DesiredExposure["loadBalancers"],
  over: Partial<DesiredExposure> = {},
): DesiredExposure {
  return {
    id: "exp_1",
    organizationId: "org_1",
    cluster: { id: "clu_1", name: "fra-01", kind: "kubernetes" },
    name: "cache",
    workload: { namespace: "default", kind: "stateful-set", name: "redis" },
    ports: [{ port: 6379, protocol: "tcp" }],
    strategy: { type: "per-replica", addressing: "dedicated" },
    healthCheck: null,
    labels: {},
    generation: 3,
    deletedAt: null,
    applied: true,
    loadBalancers,
    ...over,
  };
}

describe("the summary of an exposure", () => {
  const two = [wanted("lb_a"), wanted("lb_b")];
  const replicas = [
    { id: "rep_1", nodeId: null, ready: true, message: "" },
    { id: "rep_2", nodeId: null, ready: false, message: "" },
  ];
  it.each([
    [
      "all serve",
      two,
      [balancer("lb_a", "serving"), balancer("lb_b", "serving")],
      "serving",
      "Serving on 2 load balancers.",
    ],
    [
      "one has replicas",
      [wanted("lb_a")],
      [{ ...balancer("lb_a", "serving"), replicas }],
      "serving",
      "Serving on 1 of 2 replicas.",
    ],
    [
      "one is missing",
      two,
      [balancer("lb_a", "serving")],
      "degraded",
      "1 of 2 load balancers serves fully: It doesn't exist yet.",
    ],
    [
      "one failed",
      two,
      [balancer("lb_a", "failed", "No quota."), balancer("lb_b", "pending")],
      "failed",
      "None of 2 load balancers serves: No quota.",
    ],
    ["none exists yet", two, [], "pending", "Waiting for the cluster to create it: It doesn't exist yet."],
    ["no instances", [], [], "pending", "Nothing to expose yet: there is no instance of stateful-set default/redis."],
  ] as const)("%s", (_name, spec, seen, phase, message) => {
    const found = summarizeExposure(desired([...spec]), { loadBalancers: [...seen], instances: [] });
    expect({ phase: found.phase, message: found.message, generation: found.generation }).toEqual({
      phase,
      message,
      generation: 3,
    });
  });

  it("ignores a balancer that is being deleted", () => {
    const spec = desired([wanted("lb_a"), wanted("lb_b", null, new Date())]);
    const outside = { loadBalancers: [balancer("lb_a", "serving"), balancer("lb_b", "failed")], instances: [] };
    expect(summarizeExposure(spec, outside).phase).toBe("serving");
  });

  it("starts with the instances over the limit", () => {
    const one = desired([wanted("a", "redis-0")]);
    const seen = { loadBalancers: [balancer("a", "serving")], instances: [], surplus: 3_000 };
    expect(summarizeExposure(one, seen)).toMatchObject({
      phase: "degraded",
      message:
        "5000 instances are 3000 more than one exposure may have: scale down stateful-set default/redis, or split it into several exposures. Serving on 1 load balancer.",
      conditions: [{ status: "false", reason: "TooManyInstances" }],
    });
  });
});
