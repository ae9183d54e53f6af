import { type AdaptiveDetail, type WhatIfPrediction, whatIfChange } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { comparePredictions, describeOverload } from "./compare-predictions.ts";
import { emptyDraft, isEmpty, nodesOf, pathOf, shownPaths, toChange } from "./draft.ts";

const draft = {
  roundTrip: " 18 ",
  instances: { nod_b: "0", nod_a: "3", nod_c: " " },
  slowed: { nod_a: "", nod_b: "4" },
};

it("sends only what is filled", () => {
  expect(toChange(draft)).toEqual({
    instances: [
      { nodeId: "nod_a", count: 3 },
      { nodeId: "nod_b", count: 0 },
    ],
    slowed: [{ nodeId: "nod_b", times: 4 }],
    roundTripMs: 18,
  });
  expect(whatIfChange.safeParse(toChange(draft)).success).toBe(true);
});

it.each([
  ["nothing", {}, ["", "set what changes: instances, roundTripMs, roundTrips or slowed"]],
  ["no number", { roundTrip: "far" }, ["roundTripMs", "enter a number"]],
  ["too little", { roundTrip: "0" }, ["roundTripMs", "enter at least 0.01 ms"]],
  ["a part of an instance", { instances: { nod_a: "1.5" } }, ["instances.0.count", "enter a whole number"]],
  ["too slow", { slowed: { nod_a: "1000" } }, ["slowed.0.times", "enter at most 100"]],
])("names the field and the cure of %s", (_, fields, want) => {
  const { error } = whatIfChange.safeParse(toChange({ ...emptyDraft, ...fields }));
  expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([want]);
});

it("is empty with nothing but spaces", () => {
  expect(isEmpty({ roundTrip: " ", instances: { nod_a: "" }, slowed: { nod_a: " " } })).toBe(true);
  for (const fields of [{ roundTrip: "1" }, { instances: { nod_a: "0" } }, { slowed: { nod_a: "2" } }])
    expect(isEmpty({ ...emptyDraft, ...fields })).toBe(false);
});

it("finds the errors of a node by its place among those that are filled", () => {
  expect(pathOf(draft, "instances", "nod_b")).toBe("instances.1.count");
  expect(pathOf(draft, "slowed", "nod_b")).toBe("slowed.0.times");
  expect(pathOf(draft, "instances", "nod_c")).toBeNull();
});

it("has fields for the errors of values only, so that those of nodes and of the whole change are shown too", () => {
  expect(shownPaths(draft)).toEqual(["roundTripMs", "instances.0.count", "instances.1.count", "slowed.0.times"]);
  expect(shownPaths(emptyDraft)).toEqual(["roundTripMs"]);
});

it("offers nodes with an agent, and those that connections go to", () => {
  const adaptive = {
    nodes: [
      { nodeId: "nod_10", nodeName: "n10", replicaId: "rep_1" },
      { nodeId: "nod_x", nodeName: "x", replicaId: null },
    ],
    routes: [
      { toNodeId: "n2", toNodeName: "n2" },
      { toNodeId: "nod_10", toNodeName: "n10" },
    ],
  } as Pick<AdaptiveDetail, "nodes" | "routes">;
  expect(nodesOf(adaptive).map((each) => each.nodeName)).toEqual(["n2", "n10"]);
});

const prediction = (fields: Partial<WhatIfPrediction> = {}): WhatIfPrediction => ({
  ...{ load: 0.5, latencyMsMean: 4, latencyMsP50: 3, latencyMsP99: 20, localShare: 0.75 },
  nodes: [{ nodeId: "a", nodeName: "node-a", instances: 1, requestsPerSecond: 5, busyRatio: 0.25 }],
  ...fields,
});

it("shows both predictions side by side", () => {
  const changed = prediction({
    ...{ latencyMsP99: 40, load: 0.25 },
    nodes: [{ nodeId: "a", nodeName: "node-a", instances: 0, requestsPerSecond: 5, busyRatio: 0 }],
  });
  expect(comparePredictions(prediction(), changed).map((each) => Object.values(each).join(" | "))).toEqual([
    "Latency, mean | 4.00\u00a0ms | 4.00\u00a0ms",
    "Latency, median | 3.00\u00a0ms | 3.00\u00a0ms",
    "Latency, p99 | 20.0\u00a0ms | 40.0\u00a0ms",
    "Answered on the client's node | 75.0\u00a0% | 75.0\u00a0%",
    "Load of all nodes | 50.0\u00a0% | 25.0\u00a0%",
    "Load of node-a | 25.0\u00a0% | no instance",
  ]);
});

it.each([
  [0.5, 0.5, null],
  [0.5, 1, "With the change, more requests"],
  [1.2, 0.5, "Now, more requests"],
  [1.2, 1.2, "Now and with the change, more requests"],
])("explains an overload of %d and %d", (now, changed, want) => {
  const text = describeOverload(prediction({ load: now }), prediction({ load: changed }));
  if (want === null) expect(text).toBeNull();
  else expect(text?.startsWith(want)).toBe(true);
});
