import type { Backend, LoadBalancer } from "@fairlead/domain/load-balancer";
import { expect, it } from "vitest";
import { describeBalancer, differencesOfBalancer } from "./describe-balancer.ts";
import { troubledFirst, unreadyFirst } from "./parts/troubled-first.ts";

const at = new Date("2026-11-20T12:00:00Z");
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
  ports: [],
  address: "192.0.2.1",
  phase: "serving",
  message: "",
  replicasDesired: 2,
  replicasReady: 1,
  backendsUp: 5,
  backendsTotal: 6,
  observedAt: at,
  createdAt: at,
  updatedAt: at,
};

it.each<[string, Partial<LoadBalancer>, string]>([
  ["ours", {}, "1 of 2 replicas are ready and 5 of 6 backends are up."],
  ["the provider's", { kind: "cloud" }, "5 of 6 backends are up."],
  ["one with a sentence of its own", { message: "No node has room." }, "No node has room."],
  ["one never seen", { observedAt: null }, "Created, but not observed yet."],
  ["one on its way out", { phase: "deleting" }, "Draining: existing connections can finish, new ones are rejected."],
])("describes %s", (_what, change, want) => {
  expect(describeBalancer({ ...balancer, ...change })).toBe(want);
});

it("compares desired and ready replicas, for our own balancers only", () => {
  expect(differencesOfBalancer(balancer)).toEqual([{ label: "Replicas", desired: "2 ready", observed: "1 ready" }]);
  expect(differencesOfBalancer({ ...balancer, replicasReady: 2 })).toEqual([]);
  expect(differencesOfBalancer({ ...balancer, kind: "cloud", replicasDesired: 0 })).toEqual([]);
});

it("sorts backends with problems to the top", () => {
  const backend = (id: string, health: Backend["health"], state: Backend["state"]): Backend => ({
    id,
    instance: "",
    protocol: "tcp",
    address: "10.0.0.1",
    port: 80,
    weight: 1,
    state,
    stateSince: null,
    health,
    healthSince: null,
    message: "",
    liveConnections: 0,
    observedAt: at,
  });
  const sorted = troubledFirst([
    backend("fine", "up", "active"),
    backend("draining", "up", "draining"),
    backend("down", "down", "active"),
    backend("fine too", "up", "active"),
  ]);
  expect(sorted.map((each) => each.id)).toEqual(["down", "draining", "fine", "fine too"]);
});

it("sorts replicas without traffic to the top", () => {
  const sorted = unreadyFirst([
    { id: "a", ready: true },
    { id: "b", ready: false },
    { id: "c", ready: true },
  ]);
  expect(sorted.map((each) => each.id)).toEqual(["b", "a", "c"]);
});
