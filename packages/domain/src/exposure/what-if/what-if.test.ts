import { describe, expect, it } from "vitest";
import { DomainError } from "../../errors.ts";
import { applyChange } from "./apply-change.ts";
import { completeFigures } from "./complete-figures.ts";
import { describeFew } from "./describe-few.ts";
import type { MeasuredNode, MeasuredService } from "./measured-service.ts";
import { loadOf, type SimulatedService } from "./simulated-service.ts";
import { toPlan } from "./to-plan.ts";
import { toPrediction } from "./to-prediction.ts";
import { nodesNamedIn, whatIfChange } from "./what-if.ts";

const now = new Date("2026-11-30T12:00:00Z");
const node = (name: string, fields: Partial<MeasuredNode> = {}): MeasuredNode => ({
  ...{
    nodeId: `nod_${name}`,
    nodeName: name,
    cores: 2,
    instances: 1,
    serviceMs: 4,
    cpuPeriodMs: null,
    observedAt: now,
  },
  ...{ requestsPerSecond: 100, connectionsPerSecond: 100, openConnections: 1 },
  ...fields,
});
const measured = (nodes: MeasuredNode[], trip: number | null = 6): MeasuredService => ({
  ...{ port: 80, protocol: "tcp", nodes },
  roundTripMs: nodes.map((_, from) => nodes.map((_, to) => (from === to ? null : trip))),
});
const always = 3;
const problemOf = (run: () => unknown): Pick<DomainError, "code" | "fields" | "message"> => {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("There was no problem.");
};

describe("completeFigures", () => {
  it("keeps what is measured, and assumes only what never is", () => {
    const { service, assumptions } = completeFigures(measured([node("a"), node("b", { instances: 3 })]));
    expect(service).toEqual({
      protocol: "tcp",
      nodes: [
        {
          nodeId: "nod_a",
          nodeName: "a",
          cores: 2,
          instances: 1,
          serviceMs: 4,
          cpuPeriodMs: null,
          requestsPerSecond: 100,
        },
        {
          nodeId: "nod_b",
          nodeName: "b",
          cores: 2,
          instances: 3,
          serviceMs: 4,
          cpuPeriodMs: null,
          requestsPerSecond: 100,
        },
      ],
      roundTripMs: [
        [0, 6],
        [6, 0],
      ],
      ...{ requestsPerConnection: 1, openConnections: 1 },
    });
    expect(assumptions).toHaveLength(always);
  });

  it("takes unknown figures from other nodes, and states which", () => {
    const figures = { cores: null, serviceMs: null, requestsPerSecond: null, connectionsPerSecond: null };
    const unknown = { ...figures, openConnections: 0, observedAt: null };
    const from = measured([node("a"), node("b", { cores: 4, serviceMs: 8 }), node("c", unknown)]);
    from.roundTripMs[1]?.splice(2, 1, null);
    from.roundTripMs[2]?.splice(1, 1, null);
    const { service, assumptions } = completeFigures(from);
    expect(service.nodes[2]).toMatchObject({ cores: 3, serviceMs: 6, requestsPerSecond: 0 });
    expect(service.roundTripMs[1]).toEqual([6, 0, 6]);
    expect(assumptions.slice(0, -always)).toEqual([
      "The round trip between b and c is unknown: it is assumed to be 6 ms, as elsewhere.",
      "No requests are assumed to arrive where they aren't counted: c.",
      "Requests are assumed to take as long as elsewhere: c.",
      "Nodes with unknown cores are assumed to have as many as others: c.",
    ]);
  });

  it.each([
    ["where connections start", { connectionsPerSecond: 30 }, { connectionsPerSecond: 10 }],
    [
      "where connections are open, if none starts",
      { connectionsPerSecond: 0, openConnections: 3 },
      { connectionsPerSecond: 0 },
    ],
  ])("lets requests enter %s, wherever they arrive", (_, a, b) => {
    const from = measured([node("a", { ...a, requestsPerSecond: 0 }), node("b", { ...b, requestsPerSecond: 40 })]);
    expect(completeFigures(from).service.nodes.map((each) => each.requestsPerSecond)).toEqual([30, 10]);
  });

  it("uses a round trip that is known in one direction for both", () => {
    const from = measured([node("a"), node("b")]);
    from.roundTripMs[0]?.splice(1, 1, null);
    expect(completeFigures(from).service.roundTripMs).toEqual([
      [0, 6],
      [6, 0],
    ]);
  });

  it.each([
    [
      "many requests",
      { connectionsPerSecond: 5, openConnections: 8 },
      { requestsPerConnection: 20, openConnections: 8 },
    ],
    ["a long life", { openConnections: 1_100 }, { requestsPerConnection: 2, openConnections: 1_100 }],
    ["no end", { connectionsPerSecond: 0, openConnections: 8 }, { requestsPerConnection: 1_000, openConnections: 8 }],
    ["few requests and a short life", { connectionsPerSecond: 30, openConnections: 8 }, { requestsPerConnection: 1 }],
  ])("simulates connections with %s as agents count them", (_, fields, want) => {
    expect(completeFigures(measured([node("a", fields), node("b", fields)])).service).toMatchObject(want);
  });

  it.each([
    ["no instance", [node("a", { instances: 0 })], "No instance gets connections"],
    ["no request", [node("a", { requestsPerSecond: 0 })], "No requests were measured"],
    [
      "no connection",
      [node("a", { connectionsPerSecond: 0, openConnections: 0 })],
      "No connection started on a node with an agent",
    ],
    ["no service time", [node("a", { serviceMs: null })], "No node has reported how long requests take"],
    ["too many nodes", Array.from({ length: 33 }, (_, i) => node(`n${i}`)), "33 nodes have requests or instances"],
  ])("states what is missing with %s", (_, nodes, want) => {
    expect(problemOf(() => completeFigures(measured(nodes)))).toMatchObject({
      ...{ code: "conflict", message: expect.stringContaining(want) },
    });
  });

  it("needs a round trip between two nodes", () => {
    const { message } = problemOf(() => completeFigures(measured([node("a"), node("b")], null)));
    expect(message).toContain("No round trip between nodes is known yet");
  });

  it("leaves out unused nodes if there are too many to simulate", () => {
    const unused = Array.from({ length: 40 }, (_, i) =>
      node(`u${i}`, { instances: 0, connectionsPerSecond: 0, openConnections: 0 }),
    );
    const { service } = completeFigures(measured([...unused, node("a"), node("b")]));
    expect(service.nodes.map((each) => each.nodeName)).toEqual(["a", "b"]);
    expect(service.roundTripMs).toHaveLength(2);
    const old = new Date("2026-11-29T12:00:00Z");
    const rest = completeFigures(
      measured([...unused.map((each) => ({ ...each, observedAt: old })), node("a")]),
      new Set(),
      7,
    );
    expect(rest.observedAt).toEqual(now);
    expect(rest.assumptions[0]).toMatch(/^47 other nodes are left out/);
    const named = completeFigures(measured([...unused, node("a"), node("b")]), new Set(["nod_u7"])).service;
    expect(named.nodes.map((each) => each.nodeName)).toEqual(["u7", "a", "b"]);
  });
});

const { service } = completeFigures(measured([node("a"), node("b"), node("c", { instances: 0 })]));
const apply = (change: Parameters<typeof whatIfChange.parse>[0]): SimulatedService =>
  applyChange(service, whatIfChange.parse(change));

describe("applyChange", () => {
  it("needs the figures of each node that is named", () => {
    const change = {
      instances: [{ nodeId: "nod_a", count: 1 }],
      slowed: [{ nodeId: "nod_b", times: 2 }],
      roundTrips: [{ fromNodeId: "nod_a", toNodeId: "nod_c", roundTripMs: 2 }],
    };
    expect([...nodesNamedIn(whatIfChange.parse(change))].sort()).toEqual(["nod_a", "nod_b", "nod_c"]);
  });

  it("moves instances, slows nodes and changes round trips, and leaves the rest", () => {
    const changed = apply({
      instances: [
        { nodeId: "nod_a", count: 0 },
        { nodeId: "nod_c", count: 4 },
      ],
      slowed: [{ nodeId: "nod_b", times: 3 }],
      roundTripMs: 2,
      roundTrips: [{ fromNodeId: "nod_c", toNodeId: "nod_a", roundTripMs: 20 }],
    });
    expect(changed.nodes.map((each) => [each.instances, each.serviceMs])).toEqual([
      [0, 4],
      [1, 12],
      [4, 4],
    ]);
    expect(changed.roundTripMs).toEqual([
      [0, 2, 20],
      [2, 0, 2],
      [20, 2, 0],
    ]);
    expect(service.nodes.map((each) => each.instances)).toEqual([1, 1, 0]);
  });

  it.each([
    [{ instances: [{ nodeId: "nod_x", count: 1 }] }, ["instances", 0, "nodeId"], "Use one of nod_a (a), nod_b (b)"],
    [{ slowed: [{ nodeId: "nod_x", times: 2 }] }, ["slowed", 0, "nodeId"], "no node nod_x"],
    [
      { roundTrips: [{ fromNodeId: "nod_a", toNodeId: "nod_a", roundTripMs: 1 }] },
      ["roundTrips", 0, "toNodeId"],
      "Name two different nodes.",
    ],
    [{ instances: ["nod_a", "nod_b"].map((nodeId) => ({ nodeId, count: 0 })) }, ["instances"], "Keep at least one."],
    [{ instances: [1, 2].map((count) => ({ nodeId: "nod_a", count })) }, ["instances", 1, "nodeId"], "named twice"],
    [{ slowed: [2, 3].map((times) => ({ nodeId: "nod_b", times })) }, ["slowed", 1, "nodeId"], "named twice"],
  ])("names the wrong field of %j", (change, path, message) => {
    const { code, fields } = problemOf(() => apply(change));
    expect([code, fields]).toEqual(["invalid", [{ path, message: expect.stringContaining(message) }]]);
  });
});

describe("toPlan", () => {
  it("has the periods of CPU quotas, within what Linux accepts", () => {
    const limited = [100, 0.5, 2_000, null].map((cpuPeriodMs, i) => node(`n${i}`, { cores: 0.5, cpuPeriodMs }));
    expect(toPlan(completeFigures(measured(limited)).service).cpuPeriods).toEqual([0.1, 0.001, 1, 0]);
  });

  it("connects before requests over TCP, and not over UDP", () => {
    const from = measured([node("a"), node("b")]);
    const handshakes = (["tcp", "udp"] as const).map(
      (protocol) => toPlan(completeFigures({ ...from, protocol }).service).handshake,
    );
    expect(handshakes).toEqual([true, false]);
  });

  it("has times in seconds, one way, and slow nodes as slower than the first", () => {
    const plan = toPlan(apply({ slowed: [{ nodeId: "nod_b", times: 2 }] }));
    expect(plan).toMatchObject({
      ...{ cores: [2, 2, 2], backends: [1, 1, 0], rates: [100, 100, 100], serviceTime: 0.004, perConnection: 1 },
      changes: [{ at: 0, what: "speed", index: 1, value: 0.5 }],
    });
    expect(plan.delay[0]).toEqual([10e-6, 0.003, 0.003]);
  });

  it.each([
    ["few requests", 0.1, 3],
    ["many requests", 40_000, 3],
    ["many nodes", 100, 32],
  ])("takes so long that neither %s nor their nodes exceed what the simulator accepts", (_, rate, nodes) => {
    const all = Array.from({ length: nodes }, (_, i) => node(`n${i}`, { requestsPerSecond: rate, openConnections: 0 }));
    const { warmup, for: length, exchange } = toPlan(completeFigures(measured(all)).service);
    const seconds = warmup + length;
    expect(length).toBeGreaterThan(warmup);
    expect(seconds).toBeLessThanOrEqual(6_000);
    expect(seconds * rate * nodes).toBeLessThanOrEqual(200_000);
    expect((seconds * nodes ** 2) / exchange).toBeLessThanOrEqual(300_000);
  });

  it("refuses more requests than can be simulated in time", () => {
    const { message } = problemOf(() =>
      toPlan(completeFigures(measured([node("a", { requestsPerSecond: 1e6 })])).service),
    );
    expect(message).toBe("Up to 140,000 requests per second can be simulated, and 1,000,000 were measured.");
  });
});

it("states how rough percentiles of few requests are", () => {
  const planOf = (rate: number, length: number) => ({ rates: [rate, rate], for: length });
  expect(describeFew([planOf(100, 200), planOf(100, 200)])).toEqual([]);
  expect(describeFew([planOf(100, 200), planOf(0.1, 2_000)])).toEqual([
    "Percentiles are rough, within about 43 % for p99: so few requests were measured that only 400 were simulated.",
  ]);
  expect(describeFew([])).toEqual([]);
});

it("predicts no latency of an overloaded service", () => {
  const slow = apply({ slowed: ["nod_a", "nod_b"].map((nodeId) => ({ nodeId, times: 4 })) });
  expect([loadOf(service), loadOf(slow)]).toEqual([0.3, 1.2]);
  const { load, latencyMsP99, nodes } = toPrediction(slow, null);
  expect([load, latencyMsP99, nodes[0]?.busyRatio]).toEqual([1.2, null, null]);
});

it("takes a prediction from what the simulator prints", () => {
  const result = { meanMs: 5, latency: { p50Ms: 4, p99Ms: 30 }, localShare: 0.9, busyShares: [0.1, 0.2, 0] };
  expect(toPrediction(service, result)).toMatchObject({
    ...{ latencyMsMean: 5, latencyMsP50: 4, latencyMsP99: 30, localShare: 0.9 },
    nodes: [{ busyRatio: 0.1 }, { busyRatio: 0.2 }, { busyRatio: 0, instances: 0 }],
  });
});
