import type { Node, Pod, Reading } from "@fairlead/drivers/kubernetes";
import { expect, it } from "vitest";
import { resourcesOf } from "./resources-of.ts";

const measuredAt = new Date("2026-12-01T04:00:00Z");
const earlier = new Date("2026-12-01T03:59:50Z");
const reading = (cpuCores: number, change: Partial<Reading> = {}): Reading => ({
  ...{ cpuCores, memoryBytes: 100, measuredAt, windowMs: 10_000 },
  ...change,
});
const node = (name: string): Node => ({
  ...{ namespace: "", name, uid: name, labels: {}, ready: true, providerId: "" },
  ...{ internalAddresses: [], externalAddresses: [], allocatable: { cpuCores: 4, memoryBytes: 1_000 } },
});
const pod = (name: string, nodeName: string, change: Partial<Pod> = {}): Pod => ({
  ...{ namespace: "shop", name, uid: name, labels: {}, owner: null, createdAt: "", nodeName, addresses: [] },
  ...{ ready: true, terminating: false, ended: false, limits: { cpuCores: 0.5, memoryBytes: 200 } },
  ...change,
});
const see = (pods: Pod[], readings: Record<string, Reading>) =>
  resourcesOf({ nodes: new Map([["a", reading(3)]]), pods: new Map(Object.entries(readings)) }, pods, [
    node("a"),
    node("b"),
  ]);

it("adds up the ready pods of each node, by the oldest figures and the longest window", () => {
  const pods = [
    pod("1", "a"),
    pod("2", "a"),
    pod("new", "a"),
    pod("starting", "a", { ready: false }),
    pod("leaving", "a", { terminating: true }),
    pod("3", "b"),
  ];
  const readings = {
    "shop/1": reading(0.25, { measuredAt: earlier }),
    "shop/2": reading(0.5, { windowMs: 15_000 }),
    "shop/starting": reading(1),
    "shop/leaving": reading(1),
  };
  const [a, b] = see(pods, readings);
  expect(a).toEqual({
    nodeName: "a",
    node: { ...reading(3), cpuCapacityCores: 4, memoryCapacityBytes: 1_000 },
    instanceCount: 3,
    instances: {
      ...{ cpuCores: 0.75, cpuCapacityCores: 1, memoryBytes: 200, memoryCapacityBytes: 400 },
      ...{ measuredAt: earlier, windowMs: 15_000 },
    },
  });
  expect(b).toEqual({ nodeName: "b", node: null, instanceCount: 1, instances: null });
});

it("takes what the node has as the capacity of pods without limits, or with limits beyond it", () => {
  const unlimited = { cpuCores: null, memoryBytes: 900 };
  const pods = [pod("1", "a", { limits: unlimited }), pod("2", "a", { limits: { cpuCores: 1, memoryBytes: 900 } })];
  const [a] = see(pods, { "shop/1": reading(1), "shop/2": reading(1) });
  expect(a?.instances).toMatchObject({ cpuCapacityCores: 4, memoryCapacityBytes: 1_000 });
});
