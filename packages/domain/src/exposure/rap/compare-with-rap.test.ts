import { expect, it } from "vitest";
import { type CompareWithRap, compareWithRap } from "./compare-with-rap.ts";
import type { MeasuredResources, NodeResources, ResourceMetrics } from "./resource-metrics.ts";

const now = new Date("2026-12-01T04:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const measured = (cpuCores: number, change: Partial<MeasuredResources> = {}): MeasuredResources => ({
  ...{
    cpuCores,
    cpuCapacityCores: 2,
    memoryBytes: 100,
    memoryCapacityBytes: 1_000,
    measuredAt: ago(9),
    windowMs: 10_000,
  },
  ...change,
});
const on = (nodeName: string, instances: MeasuredResources | null, instanceCount = 1): NodeResources => ({
  ...{ nodeName, node: measured(1), instanceCount, instances },
});
const names = ["a", "b", "c"];
const nodes: CompareWithRap["nodes"] = names.map((name) => ({
  nodeId: `nod_${name}`,
  nodeName: name,
  peers: names
    .filter((each) => each !== name)
    .map((each) => ({ nodeId: `nod_${each}`, isExchanging: true, roundTripMs: each === "c" || name === "c" ? 18 : 3 })),
}));
const compare = (of: NodeResources[], change: Partial<ResourceMetrics> = {}, routes: CompareWithRap["routes"] = []) =>
  compareWithRap({ nodes, routes, metrics: { problem: "", readAt: ago(4), nodes: of, ...change }, now });
const sends = (of: NodeResources[], change: Partial<ResourceMetrics> = {}) =>
  compare(of, change).nodes.map((each) => [each.isOverloaded, each.sendsToNodeName]);

it("keeps requests on nodes with room, and sends those of an overloaded one to the nearest of two equal nodes", () => {
  expect(sends([on("a", measured(1.9)), on("b", measured(0.5)), on("c", measured(0.5))])).toEqual([
    [true, "b"],
    [false, "b"],
    [false, "c"],
  ]);
});

it("sends all requests of a node without instances elsewhere", () => {
  expect(sends([on("a", null, 0), on("b", measured(1.9)), on("c", measured(0.5))])[0]).toEqual([true, "c"]);
  expect(sends([on("c", measured(0.5))])[0]).toEqual([true, "c"]);
});

it("decides nothing for a node whose instances have no figures, old ones, or an unknown capacity", () => {
  const others = [on("b", measured(0.5)), on("c", measured(0.5))];
  const first = (of: MeasuredResources | null) => compare([on("a", of), ...others]).nodes[0];
  for (const [of, why] of [
    [null, "no figures of its instances"],
    [measured(0.5, { measuredAt: ago(121) }), "older than two minutes"],
    [measured(0.5, { cpuCapacityCores: null }), "Neither the instances"],
  ] as const)
    expect(first(of)).toMatchObject({
      ...{ isOverloaded: null, sendsToNodeId: null, sendsToNodeName: null },
      undecided: expect.stringContaining(why),
    });
  expect(sends([on("a", measured(2)), on("b", null), on("c", measured(0.1))])[0]).toEqual([true, "c"]);
});

it("decides nothing while metrics-server is not installed, not answering or not read, but keeps its last figures", () => {
  const all = [on("a", measured(1.9)), on("b", measured(0.5))];
  const problem = "metrics-server is not installed.";
  expect(compare(all, { problem })).toMatchObject({ problem, thresholdPercent: 90 });
  expect(compare(all, { problem }).nodes[0]).toMatchObject({ isOverloaded: null, undecided: problem });
  expect(compare(all, { problem }).nodes[0]?.instances?.cpuCores).toBe(1.9);
  expect(compare(all, { readAt: ago(61) }).problem).toContain("not being read");
  expect(compareWithRap({ nodes, routes: [], metrics: null, now })).toMatchObject({
    problem: expect.stringContaining("not read yet"),
    readAt: null,
  });
});

it("adds what the agent of each node measures, once for each port", () => {
  const to = (toNodeId: string, port: number, requestsPerSecond: number | null) =>
    ({ toNodeId, port, protocol: "tcp", requestsPerSecond, serviceMs: 10 }) as const;
  const routes = [to("nod_a", 80, 50), to("nod_a", 80, 50), to("nod_a", 443, 20), to("nod_b", 80, null)];
  expect(compare([], {}, routes).nodes.map((each) => each.measuredCores)).toEqual([0.7, null, null]);
});
