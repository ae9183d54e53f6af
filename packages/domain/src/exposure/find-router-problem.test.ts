import { expect, it } from "vitest";
import { clusterRouting } from "../routing/cluster-routing.ts";
import { findRouteDifference, findRouterProblem, pairUseOf, routerUseOf } from "./find-router-problem.ts";

const router = { name: "tor-1", address: "10.0.0.1", asn: 65_100 };
const cluster = (name: string, routers: object[] | null, routing: object = {}) => ({
  name,
  routing: routers && {
    ...clusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers, ...routing }),
    hasPassword: false,
  },
});
const weighing = new Set(["10.0.0.1"]);
const shared = pairUseOf(routerUseOf([false, false]), false, false);
const standby = pairUseOf(routerUseOf([false, true]), false, true);

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
    "The router tor-1 (10.0.0.9) is not known to spread flows by weights: update its Fairlead agent, or set weights for it in the routing of fra if it uses link bandwidths. Without weights, only one cluster can have a share: set the others to 0 %, and they stand by.",
  ],
  [
    "another router that uses weights",
    [{ ...router, address: "10.0.0.9", weights: true }],
    [{ ...router, address: "10.0.0.9" }],
    null,
  ],
] as [string, object[] | null, object[] | null, string | null][])("with %s", (_, one, other, want) => {
  expect(findRouterProblem(cluster("fra", one), cluster("ams", other), { weighing, use: shared })).toBe(want);
});

const blind =
  "The router tor-1 (10.0.0.9) can't see which cluster stands by: it is in another AS, where LOCAL_PREF is not sent, and it compares MED only between balancers of one AS that announce to it directly. Put it into the AS of the balancers, or give both clusters a share.";
const foreign = { ...router, address: "10.0.0.9" };
const inside = { ...foreign, asn: 65_021 };
const reflectors = [{ name: "rr-1", address: "10.0.0.3" }];

it.each([
  ["in its AS, without weights", [inside, {}], [inside, { reflectors }], null],
  ["in another AS, which compares MED", [foreign, {}], [foreign, {}], null],
  ["behind reflectors, which drop MED", [foreign, { reflectors }], [foreign, {}], blind],
  ["in another AS than either, which differ", [foreign, {}], [foreign, { asn: 65_022 }], blind],
  [
    "that gets the lowest preference from both",
    [inside, {}],
    [inside, { preference: 2 }],
    "ams announces with LOCAL_PREF 2, no more than a cluster that stands by: set a preference above 2 in its routing.",
  ],
] as [string, [object, object], [object, object], string | null][])(
  "with a cluster that stands by behind a router %s",
  (_, [one, oneRouting], [other, otherRouting], want) => {
    const own = cluster("fra", [one], oneRouting);
    const ams = cluster("ams", [other], otherRouting);
    expect(findRouterProblem(own, ams, { weighing, use: standby })).toBe(want);
    // Shares need weights, too.
    const use = pairUseOf(routerUseOf([false, false, true]), false, true);
    expect(findRouterProblem(own, ams, { weighing, use })).toMatch(/is not known to spread flows by weights/);
  },
);

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
  expect(findRouterProblem(...pair, { weighing, use: shared })).toEqual(expected);
  // Routes of a cluster that stands by are others anyway.
  expect(findRouterProblem(...pair, { weighing, use: standby })).toBeNull();
});
