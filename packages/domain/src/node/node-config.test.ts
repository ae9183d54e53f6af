import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical-json.ts";
import type { BalancerService, PlacedLoadBalancer } from "../load-balancer/balancer-config.ts";
import type { SpeakerService } from "../routing/bgp-config.ts";
import { clusterRouting } from "../routing/cluster-routing.ts";
import { nodeSettings } from "./node.ts";
import { compileNodeConfig, type KeptConfig, keepConfig, type NodeConfig } from "./node-config.ts";

describe("a compiled config", () => {
  it("has the node's settings for an agent of the role node", () => {
    const settings = nodeSettings.parse({ sampleIntervalMs: 2_000, excludedInterfaces: ["veth*", "lo", "veth*"] });
    expect(compileNodeConfig({ settings, agent: { roles: ["node"] } })).toEqual({
      reportIntervalMs: 5_000,
      node: { sampleIntervalMs: 2_000, excludedInterfaces: ["lo", "veth*"] },
    });
  });

  it("has the nodes to which an agent of the role node measures round trips", () => {
    const echo = { agentId: "agt_1", peers: [{ agentId: "agt_2", nodeId: "node_2", address: "10.0.0.2:7445" }] };
    const compile = (role: string) =>
      compileNodeConfig({ settings: nodeSettings.parse({}), agent: { roles: [role] }, echo }).node;
    expect(compile("node")).toMatchObject({ echo });
    expect(compile("balancer")).toBeNull();
  });

  it("has no node part for an agent of another role", () => {
    expect(compileNodeConfig({ settings: nodeSettings.parse({}), agent: { roles: ["balancer"] } }).node).toBeNull();
  });

  it("does not depend on the order of interfaces", () => {
    const digest = (excludedInterfaces: string[]) =>
      canonicalJson(
        compileNodeConfig({ settings: nodeSettings.parse({ excludedInterfaces }), agent: { roles: ["node"] } }),
      );
    expect(digest(["b", "a"])).toBe(digest(["a", "b", "a"]));
  });
});

describe("a config with a paused exposure", () => {
  const service = (loadBalancerId: string, address: string): BalancerService => ({
    ...{ loadBalancerId, exposureId: "exp_1", address, port: 80, protocol: "tcp", delivery: "", healthCheck: null },
    backends: [],
  });
  const announced = (loadBalancerId: string, address: string): SpeakerService => ({
    ...{ loadBalancerId, prefix: `${address}/32`, preference: 100, med: 0, communities: [] },
    ...{ plain: false, leaving: false, probes: [] },
  });
  const last: NodeConfig = {
    reportIntervalMs: 5_000,
    node: null,
    balancer: { engine: "xdp", services: [service("lb_1", "192.0.2.1"), service("lb_2", "192.0.2.2")], peers: [] },
    speaker: {
      ...{ bgp: { asn: 65_021, peers: [] }, leaving: false, drainMs: 1_000 },
      services: [announced("lb_1", "192.0.2.1"), announced("lb_2", "192.0.2.2")],
    },
  };
  const settings = nodeSettings.parse({});
  const compile = (kept: KeptConfig, loadBalancers: PlacedLoadBalancer[], leaving: boolean) =>
    compileNodeConfig({
      ...{ settings, agent: { roles: ["balancer", "speaker"] } },
      balancer: { loadBalancers, peers: [], kept: kept.balancer },
      routing: {
        ...{ nodeName: "n1", routing: clusterRouting.parse({ asn: 65_021, balancers: ["10.9.0.0/24"] }) },
        ...{ sealedPassword: "", prefixes: [], loadBalancers, kept: kept.speaker, leaving },
      },
    });

  it("keeps what it had of it, with its engine, also while the node drains", () => {
    const kept = keepConfig(last, new Set(["lb_2", "lb_3"]));
    expect(kept.loadBalancerIds).toEqual(["lb_2"]);
    const other: PlacedLoadBalancer = {
      ...{ id: "lb_0", exposureId: "exp_0", address: "192.0.2.0", ports: [{ port: 80, protocol: "tcp" }] },
      ...{ engine: "tcx", healthCheck: { type: "none" }, backends: [] },
    };
    const { balancer, speaker } = compile(kept, [other], true);
    expect(balancer).toMatchObject({
      engine: "xdp",
      services: [{ address: "192.0.2.0" }, service("lb_2", "192.0.2.2")],
    });
    expect(speaker).toMatchObject({
      leaving: true,
      services: [{ prefix: "192.0.2.0/32" }, announced("lb_2", "192.0.2.2")],
    });
  });

  it("has nothing of it that it didn't have", () => {
    const { balancer, speaker } = compile(keepConfig(last, new Set(["lb_3"])), [], false);
    expect([balancer?.engine, balancer?.services, speaker?.services]).toEqual(["auto", [], []]);
  });
});

describe("canonical JSON", () => {
  it.each([
    ["sorts keys", { b: 1, a: { d: 2, c: [3, { f: 1, e: 2 }] } }, '{"a":{"c":[3,{"e":2,"f":1}],"d":2},"b":1}'],
    ["keeps the order of lists", [2, 1], "[2,1]"],
    ["distinguishes null and absent", { a: null, b: undefined }, '{"a":null}'],
    ["plain values", "x", '"x"'],
  ])("%s", (_, value, want) => {
    expect(canonicalJson(value)).toBe(want);
  });

  it("is the same after a round trip through the database", () => {
    const value = { z: 1, a: [{ y: "ü", x: null }] };
    expect(canonicalJson(JSON.parse(JSON.stringify({ a: value.a, z: value.z })))).toBe(canonicalJson(value));
  });
});
