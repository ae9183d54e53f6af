import { expect, it } from "vitest";
import type { UpdateCloudRoute } from "./cloud-route.ts";
import { describeCloudRouteEffects } from "./describe-cloud-route-effects.ts";

const place = { provider: "aws", region: "eu-central-1", vpcId: null, endpoint: null } as const;
const route = { ...place, method: "route" as const, routeTables: ["rtb-1", "rtb-2"] };
const elastic = {
  ...place,
  method: "elastic-address" as const,
  elasticAddresses: [{ address: "10.0.0.100", allocationId: "eipalloc-1" }],
};
const moves =
  "addresses are removed from the former place, then added to the new one. They are unreachable meanwhile, and connections may break.";
const credentials = { accessKeyId: "AKIAEXAMPLEEXAMPLE", secretAccessKey: "not-a-real-key-of-anyone" };

const rows: [name: string, before: typeof route | typeof elastic, after: UpdateCloudRoute, effects: string[]][] = [
  ["nothing", route, route, []],
  ["method", route, { ...place, method: "secondary-address" }, [`Method: ${moves}`]],
  ["region", route, { ...route, region: "eu-west-1" }, [`Region: ${moves}`]],
  ["vpcId", route, { ...route, vpcId: "vpc-1" }, [`VPC: ${moves}`]],
  ["endpoint", route, { ...route, endpoint: "https://ec2.example.com" }, [`Endpoint: ${moves}`]],
  ["one route table more", route, { ...route, routeTables: ["rtb-1", "rtb-2", "rtb-3"] }, []],
  [
    "one route table less",
    route,
    { ...route, routeTables: ["rtb-2"] },
    ["Route tables: clients in subnets of rtb-1 can't reach the addresses any more."],
  ],
  [
    "another Elastic IP",
    elastic,
    { ...elastic, elasticAddresses: [{ address: "10.0.0.100", allocationId: "eipalloc-2" }] },
    ["Elastic IPs: eipalloc-1 no longer leads to 10.0.0.100. Connections through it end."],
  ],
  [
    "credentials",
    route,
    { ...route, credentials },
    ["Access key: with a key of another account, addresses move to that account, and connections may break."],
  ],
];

it.each(rows)("lists what a change of the cloud route does to clients: %s", (_, before, after, effects) => {
  expect(describeCloudRouteEffects(before, after)).toEqual(effects);
});
