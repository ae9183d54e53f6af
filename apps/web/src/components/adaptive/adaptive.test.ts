import type { AdaptiveDecision, AdaptiveNode, AdaptiveRoute, ExposureDetail } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { compareCandidates } from "./compare-candidates.ts";
import { describePeers, joinNodes, lookOfNode } from "./join-nodes.ts";
import { layRoutes, routesByShare } from "./lay-routes.ts";

const route = (from: string, to: string, fields: Partial<AdaptiveRoute> = {}): AdaptiveRoute => ({
  ...{ loadBalancerId: "lb_1", port: 80, protocol: "tcp" },
  ...{ fromNodeId: `nod_${from}`, fromNodeName: from, toNodeId: `nod_${to}`, toNodeName: to },
  ...{ share: 0, open: 0, chosen: 0, failures: 0, roundTripMs: null, inFlight: null, requestsPerSecond: null },
  ...{ serviceMs: null, cores: null, costMs: null, byWeight: false, entered: 0, enteredOpen: 0 },
  ...fields,
});

it("arranges routes by entry and serving node, both in the order of their names", () => {
  const routes = [route("n10", "n2"), route("n2", "n10"), route("n2", "n2"), route("n10", "n1")];
  const [only, ...others] = layRoutes(routes);
  expect(others).toEqual([]);
  expect(only?.servingNodes.map((each) => each.name)).toEqual(["n1", "n2", "n10"]);
  expect(only?.entries.map((each) => each.name)).toEqual(["n2", "n10"]);
  expect(only?.entries[0]?.routes.get("nod_n10")).toBe(routes[1]);
  expect(only?.entries[0]?.routes.get("nod_n1")).toBeUndefined();
});

it("keeps ports apart, also those of two protocols", () => {
  const routes = [
    route("a", "b", { port: 443 }),
    route("a", "b", { port: 53, protocol: "udp" }),
    route("a", "b", { port: 53 }),
  ];
  const ports = layRoutes(routes).map((each) => `${each.port}/${each.protocol}`);
  expect(ports).toEqual(["53/tcp", "53/udp", "443/tcp"]);
});

it("marks which entries had new connections", () => {
  const [port] = layRoutes([route("a", "a"), route("a", "b"), route("b", "a", { share: 1 }), route("b", "b")]);
  expect(port?.entries.map((each) => each.isUsed)).toEqual([false, true]);
});

it("sums up what arrived at each entry from outside", () => {
  const [port] = layRoutes([
    route("a", "a", { entered: 30, enteredOpen: 2 }),
    route("a", "b", { entered: 10, enteredOpen: 1 }),
    route("b", "a"),
  ]);
  expect(port?.entries.map((each) => each.outside)).toEqual([{ open: 3, all: 40 }, null]);
});

it("lists the most used route first, and of equal ones the local one, then by name", () => {
  const [port] = layRoutes([
    route("c", "b"),
    route("c", "a"),
    route("c", "c"),
    route("c", "d", { share: 0.9 }),
    route("c", "e", { share: 0.1 }),
  ]);
  const [entry] = port?.entries ?? [];
  expect(entry && routesByShare(entry).map((each) => each.toNodeName)).toEqual(["d", "e", "c", "a", "b"]);
});

const node = (nodeName: string, fields: Partial<AdaptiveNode> = {}): AdaptiveNode => ({
  ...{
    nodeId: `nod_${nodeName}`,
    nodeName,
    replicaId: `rep_${nodeName}`,
    loadBalancerId: "lb_1",
    balancerIds: [],
    problem: "",
  },
  ...{ localShare: null, cores: null, throttledRatio: null, refused: 0, peers: [], observedAt: null },
  ...fields,
});

it("lists nodes with a problem first, each with how often it reports", () => {
  const adaptive = {
    ...{ message: "", routes: [], decisions: [], rap: null },
    nodes: [node("n10"), node("n2"), node("n3", { problem: "No agent.", replicaId: null })],
  };
  const replicas = [{ id: "rep_n2", reportIntervalMs: 5_000 }] as ExposureDetail["replicas"];
  expect(joinNodes({ adaptive, replicas }).map((each) => [each.nodeName, each.reportIntervalMs])).toEqual([
    ["n3", null],
    ["n2", 5_000],
    ["n10", null],
  ]);
  expect(joinNodes({ adaptive: null, replicas })).toEqual([]);
});

it.each([
  ["Distributing", { problem: "", replicaId: "rep_1" }],
  ["Limited", { problem: "Its agent is silent.", replicaId: "rep_1" }],
  ["Not carried", { problem: "No agent.", replicaId: null }],
])("calls a node %s", (want, of) => {
  expect(lookOfNode(of).word).toBe(want);
});

it("counts the peers that send figures, and names the others", () => {
  const peer = (nodeId: string, isExchanging: boolean) => ({ nodeId, isExchanging, roundTripMs: null });
  const peers = [peer("z", false), peer("b", true), peer("a", false)];
  expect(describePeers({ peers }, (id) => `node-${id}`)).toEqual({ count: "1 of 3", missing: ["node-a", "node-z"] });
});

it("marks the chosen candidate, and none if the node was chosen without a comparison", () => {
  const candidates = ["a", "b"].map((nodeId) => ({ nodeId, nodeName: nodeId, beside: 1, costMs: 2 }));
  const decision = { candidates, toNodeId: "b" } as AdaptiveDecision;
  expect(compareCandidates(decision).map((each) => each.isChosen)).toEqual([false, true]);
  expect(compareCandidates({ ...decision, toNodeId: "c" }).map((each) => each.isChosen)).toEqual([false, false]);
});
