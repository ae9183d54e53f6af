import { describe, expect, it } from "vitest";
import type { PlacedLoadBalancer } from "../load-balancer/balancer-config.ts";
import { type BgpConfig, compileReflector, compileRouter, compileSpeaker, type RoutingSnapshot } from "./bgp-config.ts";
import { clusterRouting } from "./cluster-routing.ts";

const balancer = (address: string, fields: Partial<PlacedLoadBalancer> = {}): PlacedLoadBalancer => ({
  id: `lb_${address}`,
  exposureId: "exp_1",
  address,
  ports: [{ port: 80, protocol: "tcp" }],
  healthCheck: null,
  backends: [],
  ...fields,
});

function snapshot(routing: object = {}, fields: Partial<RoutingSnapshot> = {}): RoutingSnapshot {
  const whole = {
    asn: 65_021,
    balancers: ["10.0.1.0/24", "10.0.0.0/24"],
    reflectors: [
      { name: "rr-2", address: "10.0.0.12" },
      { name: "rr-1", address: "10.0.0.11" },
    ],
    routers: [{ name: "tor-1", address: "10.0.0.1", asn: 65_100 }],
    ...routing,
  };
  return {
    nodeName: "n1",
    routing: clusterRouting.parse(whole),
    sealedPassword: "",
    prefixes: ["203.0.113.0/24", "198.51.100.0/24"],
    loadBalancers: [balancer("203.0.113.9"), balancer("203.0.113.10"), balancer("2001:db8::7")],
    leaving: false,
    ...fields,
  };
}

const peersOf = ({ bgp }: { bgp: { peers: { address?: string; callers?: string; asn: number }[] } }) =>
  bgp.peers.map(({ address, callers, asn }) => [address ?? callers, asn]);

describe("the BGP config", () => {
  it("of a speaker has the reflectors as peers, sorted", () => {
    const speaker = compileSpeaker(snapshot());
    expect(peersOf(speaker)).toEqual([
      ["10.0.0.11", 65_021],
      ["10.0.0.12", 65_021],
    ]);
    expect(speaker.services.map((each) => each.prefix)).toEqual([
      "2001:db8::7/128",
      "203.0.113.10/32",
      "203.0.113.9/32",
    ]);
  });

  it("of a speaker prefers clusters with a share to one that stands by", () => {
    const loadBalancers = [balancer("203.0.113.9", { standsBy: true }), balancer("203.0.113.10")];
    const { services } = compileSpeaker(snapshot({ preference: 200, med: 10 }, { loadBalancers }));
    expect(services.map(({ prefix, preference, med }) => [prefix, preference, med])).toEqual([
      ["203.0.113.10/32", 200, 10],
      ["203.0.113.9/32", 2, 4_294_967_295],
    ]);
  });

  it("of a speaker has the weight of a balancer that spans clusters", () => {
    const loadBalancers = [balancer("203.0.113.9", { weight: 400_000 }), balancer("203.0.113.10")];
    const { services } = compileSpeaker(snapshot({}, { loadBalancers }));
    expect(services.map(({ prefix, weight }) => [prefix, weight])).toEqual([
      ["203.0.113.10/32", undefined],
      ["203.0.113.9/32", 400_000],
    ]);
  });

  it("of a speaker has the routers as peers if there are no reflectors", () => {
    const direct = snapshot({ reflectors: [] });
    expect(peersOf(compileSpeaker(direct))).toEqual([["10.0.0.1", 65_100]]);
    expect(peersOf(compileRouter({ ...direct, nodeName: "tor-1" }))).toEqual([
      ["10.0.0.0/24", 65_021],
      ["10.0.1.0/24", 65_021],
    ]);
  });

  it("of a router in common has the peers of each cluster once, those of its own first", () => {
    const router = snapshot({ reflectors: [] }, { nodeName: "tor-1", sealedPassword: "own" });
    const other = { asn: 65_022, balancers: ["10.0.1.0/24", "10.9.0.0/24"] };
    const alsoOf = [
      { ...snapshot({ ...other, reflectors: [] }), sealedPassword: "west" },
      snapshot({ ...other, reflectors: [{ name: "rr-9", address: "10.9.0.11" }] }),
    ];
    const { bgp, accepts } = compileRouter({ ...router, alsoOf });
    expect(bgp.asn).toBe(65_100);
    expect(bgp.peers.map((each) => [each.address ?? each.callers, each.asn, each.sealedPassword])).toEqual([
      ["10.0.0.0/24", 65_021, "own"],
      ["10.0.1.0/24", 65_021, "own"],
      ["10.9.0.0/24", 65_022, "west"],
      ["10.9.0.11", 65_022, undefined],
    ]);
    expect(accepts).toEqual(compileRouter(router).accepts);
  });

  it("accepts only prefixes of the pools", () => {
    expect(compileReflector(snapshot()).accepts).toEqual(["198.51.100.0/24", "203.0.113.0/24"]);
    expect(compileRouter(snapshot({}, { prefixes: [] })).accepts).toEqual([]);
  });

  it("limits the routes of each balancer, and not those of other peers", () => {
    const mostOf = ({ bgp }: { bgp: BgpConfig }) => bgp.peers.map((each) => each.mostRoutes);
    expect(mostOf(compileReflector(snapshot({ mostRoutes: 7 })))).toEqual([7, undefined, 7]);
    expect(mostOf(compileRouter(snapshot({ mostRoutes: 7, reflectors: [] })))).toEqual([7, 7]);
    expect(mostOf(compileRouter(snapshot({ mostRoutes: 7 })))).toEqual([undefined, undefined]);
  });

  it("has the MED of the cluster, if there is one", () => {
    const medsOf = (routing: object) => compileSpeaker(snapshot(routing)).services.map((each) => each.med);
    expect(medsOf({ med: 20 })).toEqual([20, 20, 20]);
    expect(medsOf({})).toEqual([0, 0, 0]);
  });

  it.each([
    ["speaker", compileSpeaker],
    ["reflector", compileReflector],
    ["router", compileRouter],
  ] as const)("gives every session of a %s the keepalive time of the cluster", (_role, compile) => {
    const { peers } = compile(snapshot({ holdSeconds: 30, keepaliveSeconds: 5 })).bgp;
    expect(peers.map((each) => [each.holdSeconds, each.keepAliveSeconds])).toEqual(peers.map(() => [30, 5]));
    for (const peer of compile(snapshot()).bgp.peers) expect(peer).not.toHaveProperty("keepAliveSeconds");
  });

  it("distinguishes keeping no routes from an unset value", () => {
    const { keepMs, settleMs } = compileRouter(snapshot({ keepSeconds: 0, settleSeconds: 0 }));
    expect([keepMs, settleMs]).toEqual([1, 1]);
    expect(compileRouter(snapshot({ keepSeconds: 60 })).keepMs).toBe(60_000);
  });

  it("has the configured AS of a router, and by default that of the balancers", () => {
    expect(compileRouter(snapshot({}, { nodeName: "tor-1" })).bgp.asn).toBe(65_100);
    expect(compileRouter(snapshot({}, { nodeName: "tor-2" })).bgp.asn).toBe(65_021);
  });

  it("probes TCP with a connection, and UDP only with the service's own check", () => {
    const udp = { type: "udp", send: "ping", expect: "", intervalMs: 1_000, timeoutMs: 500, rise: 1, fall: 1 } as const;
    const ports = [
      { port: 53, protocol: "udp" as const },
      { port: 53, protocol: "tcp" as const },
    ];
    const { services } = compileSpeaker(
      snapshot({}, { loadBalancers: [balancer("203.0.113.9", { ports, healthCheck: udp, delivery: "proxy" })] }),
    );
    expect(services).toMatchObject([
      {
        plain: true,
        probes: [
          { protocol: "udp", healthCheck: { type: "udp", send: "ping" } },
          { protocol: "tcp", healthCheck: null },
        ],
      },
    ]);
  });

  it("marks load balancers that are being deleted as leaving", () => {
    const leaving = snapshot({}, { loadBalancers: [balancer("203.0.113.9", { leaving: true })] });
    expect(compileSpeaker(leaving).services).toMatchObject([{ leaving: true }]);
  });
});
