import { expect, it } from "vitest";
import type { FlowPart } from "./group-flow.ts";
import { joinClients, mostNetworks, type RouterHop } from "./join-flow.ts";

const replica = (node: string, throughputBps: number | null): FlowPart => ({
  ...{ key: `replica/${node}`, column: "replica", kind: "replica", id: node, name: node },
  ...{ throughputBps, dropsPerSecond: null, state: "up" },
});
const hop = (router: string, node: string | null, isSilent = false): RouterHop => {
  return { routerId: router, routerName: router, isSilent, nodeId: node };
};
const sample = (nodeId: string, networks: [string, number][], otherBps = 0) => ({
  ...{ nodeId, nodeName: nodeId, problem: "", otherBps },
  networks: networks.map(([prefix, throughputBps]) => ({ prefix, throughputBps })),
});
const two = [replica("a", 30), replica("b", 10)];

it("shows all clients as one while their networks are not sampled", () => {
  const { parts, edges } = joinClients(two, [], []);
  expect(parts).toMatchObject([{ kind: "clients", throughputBps: 40 }]);
  expect(edges).toEqual([
    { from: "client/", to: "replica/a", throughputBps: 30 },
    { from: "client/", to: "replica/b", throughputBps: 10 },
  ]);
});

it("measures what a single router sends to each replica", () => {
  const { parts, edges } = joinClients(two, [hop("tor", "a"), hop("tor", "b")], []);
  expect(parts).toMatchObject([{ kind: "clients" }, { kind: "router", name: "tor", throughputBps: 40, state: "up" }]);
  expect(edges.filter((each) => each.from === "router/tor")).toEqual([
    { from: "router/tor", to: "replica/a", throughputBps: 30 },
    { from: "router/tor", to: "replica/b", throughputBps: 10 },
  ]);
});

it("measures no part of several routers that send to one replica", () => {
  const { parts, edges } = joinClients(two, [hop("r1", "a"), hop("r2", "a"), hop("r2", "b")], []);
  expect(parts.slice(1).map(({ name, throughputBps }) => [name, throughputBps])).toEqual([
    ["r1", null],
    ["r2", null],
  ]);
  expect(edges.map(({ from, to, throughputBps }) => [from, to, throughputBps])).toEqual([
    ["client/", "router/r1", null],
    ["client/", "router/r2", null],
    ["client/", "router/r2", 10],
    ["router/r1", "replica/a", null],
    ["router/r2", "replica/a", null],
    ["router/r2", "replica/b", 10],
  ]);
});

it("draws what reaches a replica without a route past the routers", () => {
  const { edges } = joinClients([...two, replica("idle", 0)], [hop("tor", "a")], []);
  expect(edges).toEqual([
    { from: "client/", to: "router/tor", throughputBps: 30 },
    { from: "client/", to: "replica/b", throughputBps: 10 },
    { from: "router/tor", to: "replica/a", throughputBps: 30 },
  ]);
});

it("shows a router without a route as down, and a silent one as silent", () => {
  const { parts } = joinClients(two, [hop("r1", null), hop("r2", "a", true)], []);
  expect(parts.slice(1).map(({ name, state }) => [name, state])).toEqual([
    ["r1", "down"],
    ["r2", "silent"],
  ]);
});

it("adds up the networks of all replicas, and merges the smaller ones", () => {
  const many = Array.from({ length: mostNetworks + 1 }, (_, i): [string, number] => [`10.0.${i}.0/24`, 10 - i]);
  const { parts, edges } = joinClients(two, [], [sample("a", many, 2), sample("b", [["10.0.6.0/24", 20]])]);
  expect(parts.map(({ name, throughputBps }) => [name, throughputBps])).toEqual([
    ["10.0.6.0/24", 24],
    ["10.0.0.0/24", 10],
    ["10.0.1.0/24", 9],
    ["10.0.2.0/24", 8],
    ["10.0.3.0/24", 7],
    ["10.0.4.0/24", 6],
    ["", 5 + 2],
  ]);
  expect(parts.at(-1)?.kind).toBe("other-networks");
  expect(edges.filter((each) => each.from === "client/10.0.6.0/24")).toEqual([
    { from: "client/10.0.6.0/24", to: "replica/a", throughputBps: 4 },
    { from: "client/10.0.6.0/24", to: "replica/b", throughputBps: 20 },
  ]);
});

it("shows the traffic of replicas without a sample, and of exposures that aren't sampled, as not sampled", () => {
  const { parts, edges } = joinClients([...two, replica("new", null)], [], [sample("a", [["10.0.0.0/24", 20]])]);
  expect(parts.map(({ kind, throughputBps }) => [kind, throughputBps])).toEqual([
    ["network", 20],
    ["not-sampled", null],
  ]);
  expect(edges).toEqual([
    { from: "client/10.0.0.0/24", to: "replica/a", throughputBps: 20 },
    { from: "client/not-sampled", to: "replica/a", throughputBps: 10 },
    { from: "client/not-sampled", to: "replica/b", throughputBps: 10 },
    { from: "client/not-sampled", to: "replica/new", throughputBps: null },
  ]);
});

it("takes a small difference for an error of sampling", () => {
  const { parts } = joinClients([replica("a", 30)], [], [sample("a", [["10.0.0.0/24", 28]])]);
  expect(parts.map(({ kind }) => kind)).toEqual(["network"]);
});
