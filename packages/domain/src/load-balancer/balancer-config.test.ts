import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical-json.ts";
import { nodeSettings } from "../node/node.ts";
import { compileNodeConfig } from "../node/node-config.ts";
import { type BalancerSnapshot, type PlacedLoadBalancer, servicesOf } from "./balancer-config.ts";

const settings = nodeSettings.parse({});
const shop: PlacedLoadBalancer = {
  id: "lb_2",
  exposureId: "exp_2",
  address: "192.0.2.2",
  ports: [
    { port: 443, targetPort: 8443, protocol: "tcp" },
    { port: 53, protocol: "udp" },
  ],
  delivery: "nat",
  healthCheck: null,
  backends: [
    { id: "bak_2", instance: "shop-1", protocol: "tcp", address: "10.0.0.2", port: 8443, weight: 1, state: "filling" },
    { id: "bak_1", instance: "shop-0", protocol: "tcp", address: "10.0.0.1", port: 8443, weight: 1, state: "active" },
    { id: "bak_3", instance: "shop-0", protocol: "udp", address: "10.0.0.1", port: 53, weight: 1, state: "draining" },
  ],
};
const chat: PlacedLoadBalancer = {
  id: "lb_1",
  exposureId: "exp_1",
  address: "192.0.2.1",
  ports: [{ port: 80, protocol: "tcp" }],
  engine: "xdp",
  healthCheck: { type: "none" },
  backends: [],
};
const compile = (loadBalancers: PlacedLoadBalancer[], peers = [{ agentId: "agt_2", address: "10.9.0.2:7444" }]) =>
  compileNodeConfig({ settings, agent: { roles: ["balancer"] }, balancer: { loadBalancers, peers } });

describe("the config of a balancer agent", () => {
  it("has the server names of backends, and omits backends without a valid one", () => {
    const odd = {
      id: "bak_4",
      instance: "no name",
      protocol: "tcp",
      address: "10.0.0.9",
      port: 8443,
      weight: 1,
    } as const;
    const named = {
      ...shop,
      zone: "games.example.com",
      backends: [...shop.backends, { ...odd, state: "active" } as const],
    };
    const [service] = compile([named]).balancer?.services.filter((each) => each.port === 443) ?? [];
    expect(service?.backends.map(({ id, serverNames }) => [id, serverNames])).toEqual([
      ["bak_1", ["shop-0.games.example.com"]],
      ["bak_2", ["shop-1.games.example.com"]],
    ]);
  });

  it("has each port of its balancers, with the backends of that port", () => {
    const tcp = { type: "tcp", intervalMs: 1_000, timeoutMs: 1_000, rise: 2, fall: 3 };
    expect(compile([shop, chat])).toEqual({
      reportIntervalMs: 5_000,
      node: null,
      balancer: {
        engine: "xdp",
        services: [
          {
            loadBalancerId: "lb_1",
            exposureId: "exp_1",
            address: "192.0.2.1",
            port: 80,
            protocol: "tcp",
            delivery: "",
            healthCheck: null,
            backends: [],
          },
          {
            loadBalancerId: "lb_2",
            exposureId: "exp_2",
            address: "192.0.2.2",
            port: 443,
            protocol: "tcp",
            delivery: "nat",
            healthCheck: tcp,
            backends: [
              { id: "bak_1", address: "10.0.0.1", port: 8443, weight: 1, state: "active" },
              { id: "bak_2", address: "10.0.0.2", port: 8443, weight: 1, state: "filling" },
            ],
          },
          {
            loadBalancerId: "lb_2",
            exposureId: "exp_2",
            address: "192.0.2.2",
            port: 53,
            protocol: "udp",
            delivery: "nat",
            healthCheck: null,
            backends: [{ id: "bak_3", address: "10.0.0.1", port: 53, weight: 1, state: "draining" }],
          },
        ],
        peers: [{ agentId: "agt_2", address: "10.9.0.2:7444" }],
      },
    });
  });

  it("has the scheduler for each port, and the PROXY protocol for TCP only", () => {
    const services = compile([{ ...shop, engine: "ipvs", scheduler: "wlc", proxyProtocol: true }]).balancer?.services;
    expect(services).toMatchObject([
      { port: 443, scheduler: "wlc", proxyProtocol: true },
      { port: 53, scheduler: "wlc" },
    ]);
    expect(services?.[1]).not.toHaveProperty("proxyProtocol");
    const defaults = compile([{ ...shop, proxyProtocol: false }]).balancer?.services ?? [];
    for (const each of defaults)
      for (const field of ["scheduler", "proxyProtocol"]) expect(each).not.toHaveProperty(field);
  });

  it("does not depend on the order of its input", () => {
    const peers = [
      { agentId: "agt_2", address: "10.9.0.2:7444" },
      { agentId: "agt_3", address: "10.9.0.3:7444" },
    ];
    const turned = { ...shop, ports: [...shop.ports].reverse(), backends: [...shop.backends].reverse() };
    expect(canonicalJson(compile([chat, turned], [...peers].reverse()))).toBe(
      canonicalJson(compile([shop, chat], peers)),
    );
  });

  it("has the peers of each load balancer, unless all peers carry it", () => {
    const peers = ["agt_2", "agt_3", "agt_4"].map((agentId, i) => ({ agentId, address: `10.9.0.${i + 2}:7444` }));
    const carriers = new Map([
      [shop.id, ["agt_1", "agt_2", "agt_3", "agt_4"]],
      [chat.id, ["agt_1", "agt_3"]],
    ]);
    const peersOf = (snapshot: Pick<BalancerSnapshot, "peers" | "carriers" | "kept">) => {
      const balancer = { loadBalancers: [shop, chat], ...snapshot };
      const config = compileNodeConfig({ settings, agent: { roles: ["balancer"] }, balancer });
      const services = config.balancer?.services ?? [];
      return new Map(services.map((each) => [each.loadBalancerId, each.peers]));
    };
    expect(peersOf({ peers, carriers })).toEqual(
      new Map([
        [shop.id, undefined],
        [chat.id, { agentIds: ["agt_3"] }],
      ]),
    );
    expect(peersOf({ peers: peers.slice(0, 1), carriers }).get(chat.id)).toEqual({ agentIds: [] });
    expect(peersOf({ peers }).get(chat.id)).toBeUndefined();

    const [service] = servicesOf({ ...chat, id: "lb_paused" });
    if (!service) throw new Error("it has a port");
    const kept = { engine: "auto", services: [{ ...service, peers: { agentIds: ["agt_9"] } }] };
    carriers.set("lb_paused", ["agt_1", "agt_4"]);
    expect(peersOf({ peers, carriers, kept }).get("lb_paused")).toEqual({ agentIds: ["agt_4"] });
  });

  it("exists before anything is placed on the agent, so that it reports where it takes flows", () => {
    expect(compileNodeConfig({ settings, agent: { roles: ["balancer"] } }).balancer).toEqual({
      engine: "auto",
      services: [],
      peers: [],
    });
    expect(compileNodeConfig({ settings, agent: { roles: ["node"] } })).not.toHaveProperty("balancer");
  });

  it("has the engine that its oldest balancer requires, and omits peers without an address", () => {
    const unknown = ["", "[::]:7444", "0.0.0.0:7444", ":7444"].map((address) => ({ agentId: "agt_2", address }));
    const { balancer } = compile([{ ...shop, engine: "ipvs" }, chat], unknown);
    expect(balancer).toMatchObject({ engine: "xdp", peers: [] });
  });
});
