import { describe, expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { createExposure } from "./exposure.ts";
import { findNamingProblem, namedBalancerOf, serverNameOf } from "./named-balancer.ts";
import type { Strategy } from "./strategy.ts";

const poolId = newId("addressPool");
const dnsZone = "games.example.com";
const sni: Strategy = { type: "per-replica", addressing: "shared-sni" };

describe("a balancer of our own that is asked for names", () => {
  it("has a pool and a zone, and two replicas unless it is said how many", () => {
    expect(namedBalancerOf({ ...sni, poolId, dnsZone })).toEqual({ replicas: 2, poolId, zone: dnsZone });
    expect(namedBalancerOf({ ...sni, poolId, dnsZone, replicas: 3 })?.replicas).toBe(3);
    expect(namedBalancerOf({ type: "per-replica", addressing: "dedicated", dnsZone })).toBeNull();
    expect(findNamingProblem({ ...sni, poolId, dnsZone }, [{ protocol: "tcp" }, {}])).toBeNull();
  });

  it.each<[object, object[], string, string]>([
    [{ dnsZone }, [{ port: 443 }], "strategy.poolId", "choose one of the cluster's"],
    [{ poolId }, [{ port: 443 }], "strategy.dnsZone", "give one that clients' names end with"],
    [{ poolId, dnsZone }, [{ port: 443 }, { port: 443, protocol: "udp" }], "ports.1.protocol", "choose tcp"],
  ])("is refused as %j with %j, by the field and what to do", (given, ports, path, cure) => {
    const spec = { clusterId: newId("cluster"), name: "shop", workload: { kind: "stateful-set", name: "shop" } };
    const { error } = createExposure.safeParse({ ...spec, ports, strategy: { ...sni, ...given } });
    expect(error?.issues.map((each) => [each.path.join("."), each.message])).toEqual([
      [path, expect.stringContaining(cure)],
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
])("the instance %j is asked for as %j", (instance, name) => {
  expect(serverNameOf(instance, dnsZone)).toBe(name);
});
