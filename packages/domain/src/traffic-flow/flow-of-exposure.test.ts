import { expect, it } from "vitest";
import { newId } from "../id-text.ts";
import type { Backend, Replica } from "../load-balancer/load-balancer.ts";
import { type ExposureFlowRows, flowOfExposure } from "./flow-of-exposure.ts";

const now = new Date("2026-11-28T12:00:00Z");
const loadBalancerId = newId("loadBalancer");
const balancer = { id: loadBalancerId, name: "shop", phase: "serving" } as const;
const replica = (n: number, other: Partial<Replica> = {}): ExposureFlowRows["replicas"][number] => ({
  ...{ id: newId("replica"), nodeId: `node_${n}`, nodeName: `lb-${n}`, agentId: `agent_${n}`, loadBalancerId },
  ...{
    role: "balancer",
    ready: true,
    message: "",
    engine: "tcx",
    engineReason: "",
    refusedEngines: [],
    address: "",
    liveConnections: 0,
  },
  ...{ observedAt: now, reportIntervalMs: 5_000, probeTraffic: null },
  ...other,
});
const backend = (instance: string, other: Partial<Backend> = {}): ExposureFlowRows["backends"][number] => ({
  ...{ id: `bak_${instance}`, instance, protocol: "tcp", address: "10.8.0.1", port: 8443, weight: 1, loadBalancerId },
  ...{ state: "active", stateSince: null, health: "up", healthSince: null, message: "", liveConnections: 0 },
  ...{ observedAt: now },
  ...other,
});
const measured = (
  subjectId: string,
  n: number,
  value: number,
  metric: "throughputBps" | "dropsPerSecond" = "throughputBps",
) => ({
  ...{ subjectId, metric, agentId: `agent_${n}`, value },
});
const flow = (rows: Partial<ExposureFlowRows>) =>
  flowOfExposure({
    balancers: [balancer],
    replicas: [],
    backends: [],
    measured: [],
    hops: [],
    samples: [],
    now,
    ...rows,
  });
const column = (rows: Partial<ExposureFlowRows>, wanted: string) =>
  flow(rows).places.filter((each) => each.column === wanted);

it("shows throughput, drops and state of replicas and backends, and which replica sends to which backend", () => {
  const { places, links } = flow({
    replicas: [replica(1), replica(2)],
    backends: [backend("web-1"), backend("web-2", { health: "down" })],
    measured: [
      measured(loadBalancerId, 1, 30),
      measured(loadBalancerId, 1, 2, "dropsPerSecond"),
      measured(loadBalancerId, 1, 1, "dropsPerSecond"),
      measured(loadBalancerId, 2, 10),
      measured("bak_web-1", 1, 30),
      measured("bak_web-1", 2, 10),
    ],
  });
  expect(
    places.map(({ name, throughputBps, share, dropsPerSecond, state }) => [
      name,
      throughputBps,
      share,
      dropsPerSecond,
      state,
    ]),
  ).toEqual([
    ["", 40, 1, null, "none"],
    ["lb-1", 30, 0.75, 3, "up"],
    ["lb-2", 10, 0.25, null, "up"],
    ["web-1", 40, 1, null, "up"],
    ["web-2", null, null, null, "down"],
  ]);
  expect(links.filter((each) => each.to.startsWith("backend/"))).toEqual([
    { from: "replica/node_1", to: "backend/web-1", throughputBps: 30 },
    { from: "replica/node_2", to: "backend/web-1", throughputBps: 10 },
    { from: "replica/node_1", to: "backend/web-2", throughputBps: null },
    { from: "replica/node_2", to: "backend/web-2", throughputBps: null },
  ]);
});

it.each<[string, Partial<Replica>, string]>([
  ["ready", {}, "up"],
  ["not ready", { ready: false }, "down"],
  ["silent", { observedAt: new Date(now.getTime() - 60_000), ready: false }, "silent"],
  ["without a node", { nodeId: null }, "pending"],
])("shows a replica that is %s as such", (_, fields, state) => {
  expect(column({ replicas: [replica(1, fields)] }, "replica")).toMatchObject([{ state }]);
});

it("shows only balancers of an exposure that clients outside reach, and else the replicas on nodes", () => {
  const onNodes = [replica(1, { role: "adaptive" }), replica(2, { role: "adaptive" })];
  expect(column({ replicas: onNodes }, "replica").map((each) => each.name)).toEqual(["lb-1", "lb-2"]);
  expect(column({ replicas: [...onNodes, replica(2)] }, "replica").map((each) => each.name)).toEqual(["lb-2"]);
});

it("shows a node as degraded if one of its replicas isn't ready", () => {
  const other = replica(1, { ready: false });
  expect(column({ replicas: [replica(1), other] }, "replica")).toMatchObject([{ name: "lb-1", state: "degraded" }]);
});

it.each<[string, Partial<Backend>[], string]>([
  ["up", [{}], "up"],
  ["down on one of its ports", [{}, { health: "down" }], "down"],
  ["draining", [{ state: "draining" }], "draining"],
  ["unknown", [{ health: "unknown" }], "unknown"],
])("shows a backend that is %s as such", (_, ports, state) => {
  expect(column({ backends: ports.map((each) => backend("web-1", each)) }, "backend")).toMatchObject([{ state }]);
});

it("shows load balancers of a cloud in place of replicas", () => {
  const { places, links } = flow({
    balancers: [{ ...balancer, phase: "degraded" }],
    backends: [backend("web-1")],
    measured: [{ subjectId: loadBalancerId, metric: "throughputBps", agentId: null, value: 7 }],
  });
  expect(places.filter((each) => each.column === "replica")).toMatchObject([
    { kind: "load-balancer", id: loadBalancerId, name: "shop", throughputBps: 7, state: "degraded" },
  ]);
  expect(links.at(-1)).toEqual({ from: `replica/${loadBalancerId}`, to: "backend/web-1", throughputBps: null });
});
