import { describe, expect, it } from "vitest";
import type { NodeSettings } from "../node/node.ts";
import { compileNodeConfig, keepConfig } from "../node/node-config.ts";
import { compileBalancer, type PlacedLoadBalancer } from "./balancer-config.ts";
import { type BackendServerConfig, compileBackend, type SessionState } from "./session-config.ts";

const session = {
  sealedKeys: { current: "one" },
  names: "learned",
  ids: true,
  serverNames: [],
  ticketSeconds: 3_600,
  fallbacks: [],
};
const taking = { number: 7, companion: "10.8.0.1:7446" };
const placed: PlacedLoadBalancer = {
  ...{ id: "lb_1", exposureId: "exp_1", address: "192.0.2.1", ports: [{ port: 443, protocol: "tcp" }] },
  ...{ engine: "tcx", delivery: "direct", healthCheck: null, session },
  backends: [
    {
      ...{
        id: "bak_1",
        instance: "web-1",
        protocol: "tcp",
        address: "10.8.0.1",
        port: 443,
        weight: 1,
        state: "active",
      },
      session: taking,
    },
  ],
};
const server: BackendServerConfig = {
  ...{ backendId: "bak_1", loadBalancerId: "lb_1", exposureId: "exp_1", instance: "web-1", ownAddress: "10.8.0.1" },
  ...{ address: "192.0.2.1", port: 443, number: 7, sealedKeys: { current: "one" }, replicas: ["10.9.0.1:7447"] },
};
const settings = { reportIntervalMs: 1_000 } as NodeSettings;

describe("a service by TLS session", () => {
  it("has its settings, and where backends take connections", () => {
    const [service] = compileBalancer({ loadBalancers: [placed], peers: [] }).services;
    expect(service).toMatchObject({ session, backends: [{ id: "bak_1", session: taking }] });
  });

  it.each([{ delivery: "nat" }, { session: undefined }])(
    "is placed without sessions with %j, and so are its backends",
    (change) => {
      const [service] = compileBalancer({ loadBalancers: [{ ...placed, ...change }], peers: [] }).services;
      expect(service?.backends).toHaveLength(1);
      expect(service).not.toHaveProperty("session");
      expect(service?.backends[0]).not.toHaveProperty("session");
    },
  );

  it("is placed by its proxy, where backends can't check cookies, and returns clients to one that drains", () => {
    const backends = placed.backends.map((each) => ({ ...each, state: "draining" as const, returns: true as const }));
    const [service] = compileBalancer({
      loadBalancers: [{ ...placed, delivery: "proxy", backends }],
      peers: [],
    }).services;
    expect(service).toMatchObject({ session, backends: [{ id: "bak_1", state: "draining", returns: true }] });
    expect(service?.backends[0]).not.toHaveProperty("session");
    const plain = { ...placed, session: undefined, backends };
    expect(compileBalancer({ loadBalancers: [plain], peers: [] }).services[0]?.backends[0]).not.toHaveProperty(
      "returns",
    );
  });

  it("is kept while it is paused, with the keys and companions of now", () => {
    const before = compileNodeConfig({
      settings,
      agent: { roles: ["balancer", "backend"] },
      balancer: { loadBalancers: [placed], peers: [] },
      backend: { servers: [server] },
    });
    const kept = keepConfig(before, new Set(["lb_1"]));
    expect(kept).toMatchObject({ loadBalancerIds: ["lb_1"], backend: [server] });
    const sealedKeys = { current: "two", previous: "one" };
    const state: SessionState = { sealedKeys, backends: new Map() };
    const replicas = new Map([["lb_1", ["10.9.0.2:7447"]]]);
    const after = compileNodeConfig({
      settings,
      agent: { roles: ["balancer", "backend"] },
      balancer: { loadBalancers: [], peers: [], kept: kept.balancer, session: state },
      backend: { servers: [], kept: kept.backend, state, replicas },
    });
    const [service] = after.balancer?.services ?? [];
    expect(service?.session).toEqual({ ...session, sealedKeys });
    expect(service?.backends.map((each) => each.session)).toEqual([undefined]);
    expect(after.backend?.servers).toEqual([{ ...server, sealedKeys, replicas: ["10.9.0.2:7447"] }]);
  });
});

describe("the config of an agent next to servers", () => {
  it("has them in a stable order, and only with the role", () => {
    const other = { ...server, backendId: "bak_0", replicas: ["b", "a"] };
    expect(compileBackend({ servers: [server, other] }).servers).toEqual([{ ...other, replicas: ["a", "b"] }, server]);
    const config = (roles: string[]) =>
      compileNodeConfig({ settings, agent: { roles }, backend: { servers: [server] } });
    expect(config(["backend"]).backend).toEqual({ servers: [server] });
    expect(config(["balancer"]).backend).toBeUndefined();
  });
});
