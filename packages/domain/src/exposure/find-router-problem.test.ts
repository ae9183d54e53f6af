import { expect, it } from "vitest";
import { clusterRouting } from "../routing/cluster-routing.ts";
import { findRouteDifference, findRouterProblem } from "./find-router-problem.ts";

const router = { name: "tor-1", address: "10.0.0.1", asn: 65_100 };
const cluster = (name: string, routers: object[] | null) => ({
  name,
  routing: routers && {
    ...clusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers }),
    hasPassword: false,
  },
});
const weighing = new Set(["10.0.0.1"]);

it.each([
  ["a common router of ours", [router], [{ ...router, name: "other-name" }], null],
  ["no routing", null, [router], "fra announces nothing by BGP: configure its routing."],
  [
    "no common router",
    [router],
    [{ ...router, address: "10.0.0.2" }],
    "fra and ams have no router in common: list a router with the same address in the routing of both.",
  ],
  [
    "a router that ignores weights",
    [{ ...router, address: "10.0.0.9" }],
    [{ ...router, address: "10.0.0.9" }],
    "The router tor-1 (10.0.0.9) is not known to spread flows by weights: update its Fairlead agent, or set weights for it in the routing of fra if it uses link bandwidths.",
  ],
  [
    "another router that uses weights",
    [{ ...router, address: "10.0.0.9", weights: true }],
    [{ ...router, address: "10.0.0.9" }],
    null,
  ],
] as [string, object[] | null, object[] | null, string | null][])("with %s", (_, one, other, want) => {
  expect(findRouterProblem(cluster("fra", one), cluster("ams", other), weighing)).toBe(want);
});

const routed = (name: string, other: object) => {
  const { routing } = cluster(name, [router]);
  return { name, routing: routing && { ...routing, ...other } };
};

it.each([
  ["the same values", {}, {}, null],
  ["no MED and a MED of 0", {}, { med: 0 }, null],
  [
    "another preference",
    { preference: 100 },
    { preference: 200 },
    /^Routers send all connections to ams .*preference \(LOCAL_PREF\) is 100 in the routing of fra and 200 in that of ams: set preference to the same value in both\.$/,
  ],
  [
    "another MED",
    {},
    { med: 10 },
    /^Routers send all connections to fra .*med \(MED\) is 0 in the routing of fra and 10 in that of ams: set med/,
  ],
] as [string, object, object, RegExp | null][])("compares %s", (_, one, other, want) => {
  const pair = [routed("fra", one), routed("ams", other)] as const;
  const expected = want === null ? null : expect.stringMatching(want);
  expect(findRouteDifference(...pair)).toEqual(expected);
  expect(findRouterProblem(...pair, weighing)).toEqual(expected);
});
