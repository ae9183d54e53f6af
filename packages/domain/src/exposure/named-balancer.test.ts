import { describe, expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { createExposure } from "./exposure.ts";
import { findNamingProblem, namedBalancerOf, serverNameOf } from "./named-balancer.ts";
import type { Strategy } from "./strategy.ts";

const poolId = newId("addressPool");
const dnsZone = "games.example.com";
const sni: Strategy = { type: "per-replica", addressing: "shared-sni" };

describe("a balancer that routes by server name", () => {
  it("has a pool, a zone, and two replicas by default", () => {
    expect(namedBalancerOf({ ...sni, poolId, dnsZone })).toEqual({ replicas: 2, poolId, zone: dnsZone });
    expect(namedBalancerOf({ ...sni, poolId, dnsZone, replicas: 3 })?.replicas).toBe(3);
    expect(namedBalancerOf({ type: "per-replica", addressing: "dedicated", dnsZone })).toBeNull();
    expect(findNamingProblem({ ...sni, poolId, dnsZone }, [{ protocol: "tcp" }, {}])).toBeNull();
  });

  it.each<[object, object[], string, string]>([
    [{ dnsZone }, [{ port: 443 }], "strategy.poolId", "choose one of the cluster's"],
    [{ poolId }, [{ port: 443 }], "strategy.dnsZone", "enter the zone that clients' names end with"],
    [{ poolId, dnsZone }, [{ port: 443 }, { port: 443, protocol: "udp" }], "ports.1.protocol", "choose tcp"],
  ])("is rejected as %j with %j, with the field and what to do", (given, ports, path, remedy) => {
    const spec = { clusterId: newId("cluster"), name: "shop", workload: { kind: "stateful-set", name: "shop" } };
    const { error } = createExposure.safeParse({ ...spec, ports, strategy: { ...sni, ...given } });
    expect(error?.issues.map((each) => [each.path.join("."), each.message])).toEqual([
      [path, expect.stringContaining(remedy)],
    ]);
  });
});

it.each([
  ["shop-0", "shop-0.games.example.com"],
  ["shop/Shop-0", "shop-0.games.example.com"],
  ["7", "7.games.example.com"],
  ["ip-10-0-0-1.internal", "ip-10-0-0-1.internal.games.example.com"],
  ["", null],
  ["a b", null],
  ["shop-", null],
  ["x".repeat(64), null],
  [`${`${"x".repeat(60)}.`.repeat(4)}x`, null],
])("the instance %j has the server name %j", (instance, name) => {
  expect(serverNameOf(instance, dnsZone)).toBe(name);
});
