import type { Condition, Exposure } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { expect, it } from "vitest";
import { sumBalancers } from "./balancer-sums.ts";
import { describeDifferences, describeExposure, whenApplied } from "./describe-exposure.ts";
import { differencesOf } from "./differences.ts";

const at = new Date("2026-11-20T12:00:00Z");
const exposure: Exposure = {
  id: "exp_1",
  clusterId: "clu_1",
  clusterName: "local",
  name: "shop",
  workload: { namespace: "default", kind: "deployment", name: "shop" },
  ports: [{ port: 443, protocol: "tcp" }],
  strategy: { type: "ecmp", replicas: 2, poolId: "pool_1" },
  placements: [],
  healthCheck: null,
  labels: {},
  generation: 3,
  observedGeneration: 3,
  phase: "serving",
  message: "Serving on 2 of 2 replicas.",
  conditions: [],
  observedAt: at,
  loadBalancerCount: 1,
  addresses: ["192.0.2.1"],
  createdAt: at,
  updatedAt: at,
  pausedAt: null,
  specInEffect: null,
  deletedAt: null,
};
const balancer: LoadBalancer = {
  id: "lb_1",
  exposureId: "exp_1",
  exposureName: "shop",
  exposurePausedAt: null,
  clusterId: "clu_1",
  clusterName: "local",
  name: "shop",
  kind: "fairlead",
  strategy: "ecmp",
  instance: null,
  ports: exposure.ports,
  address: "192.0.2.1",
  phase: "serving",
  message: "",
  replicasDesired: 2,
  replicasReady: 2,
  backendsUp: 5,
  backendsTotal: 6,
  observedAt: at,
  createdAt: at,
  updatedAt: at,
};

it("adds up balancers, with the age of the oldest one", () => {
  const later = { ...balancer, phase: "degraded" as const, observedAt: new Date(at.getTime() + 9_000) };
  expect(sumBalancers([balancer, later, { ...balancer, observedAt: null }])).toEqual({
    total: 3,
    serving: 2,
    replicasDesired: 6,
    replicasReady: 6,
    backendsTotal: 18,
    backendsUp: 15,
    observedAt: at,
  });
  expect(sumBalancers([]).observedAt).toBeNull();
});

it("returns no differences if the observed state is the desired state", () => {
  expect(differencesOf(exposure, sumBalancers([balancer]))).toEqual([]);
});

it("lists desired and observed values that differ", () => {
  const behind = { ...exposure, generation: 4 };
  const half = { ...balancer, phase: "degraded" as const, replicasReady: 1 };
  expect(differencesOf(behind, sumBalancers([half]))).toEqual([
    { label: "Spec version", desired: "4", observed: "3" },
    { label: "Load balancers", desired: "1 serving", observed: "0 serving" },
    { label: "Replicas", desired: "2 ready", observed: "1 ready" },
  ]);
});

it("lists what is left of an exposure that is being deleted", () => {
  const going = { ...exposure, generation: 4, deletedAt: at };
  expect(differencesOf(going, sumBalancers([balancer]))).toEqual([
    { label: "Load balancers", desired: "none", observed: "1 left" },
  ]);
});

it("describes when a paused exposure is changed", () => {
  expect(whenApplied({ ...exposure, pausedAt: at })).toBe(" It is applied when shop is resumed.");
  expect(whenApplied(exposure)).toBe("");
  expect(describeDifferences({ ...exposure, pausedAt: at })).toContain("until it is resumed");
  expect(describeDifferences(exposure)).toBe("Not yet in the desired state.");
});

it("describes the state before the control plane has processed it", () => {
  expect(describeExposure(exposure)).toBe("Serving on 2 of 2 replicas.");
  expect(describeExposure({ ...exposure, observedGeneration: 0, message: "" })).toContain("has not processed it yet");
  expect(describeExposure({ ...exposure, deletedAt: at })).toMatch(/^Deleting.* until then\.$/);
  const stuck: Condition = { type: "Ready", status: "false", reason: "DriverFailed", message: "", changedAt: at };
  expect(describeExposure({ ...exposure, deletedAt: at, conditions: [stuck], message: "It is retried." })).toMatch(
    /^Deleting.* until then\. It is retried\.$/,
  );
  expect(describeExposure({ ...exposure, message: "", phase: "degraded" })).toContain("Serving in part");
});
