import { describe, expect, it } from "vitest";
import { type CloudRoute, cloudRoute, type LeftBehind, leftBehind, updateCloudRoute } from "./cloud-route.ts";

const rtb = (n: number) => `rtb-${String(n).padStart(17, "0")}`;
const eip = (n: number) => `eipalloc-${String(n).padStart(17, "0")}`;
const aws = { provider: "aws", region: "eu-central-1" } as const;
const route = { ...aws, method: "route", routeTables: [rtb(1)] } as const;
const elastic = {
  ...aws,
  method: "elastic-address",
  elasticAddresses: [{ address: "10.0.0.9", allocationId: eip(1) }],
} as const;
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

describe("the cloud route of a cluster", () => {
  it("needs only a region and what to change there", () => {
    expect(cloudRoute.parse(route)).toEqual({ ...route, endpoint: null, vpcId: null });
  });

  it("contains no credentials once it is stored", () => {
    expect(cloudRoute.safeParse({ ...route, credentials }).success).toBe(false);
    expect(updateCloudRoute.parse({ ...route, credentials }).credentials).toEqual(credentials);
  });

  it.each([
    ["region", { ...route, region: "Frankfurt" }, "as eu-central-1"],
    ["endpoint", { ...route, endpoint: "file:///etc/passwd" }, "enter the address of an EC2 API"],
    ["vpcId", { ...route, vpcId: "vpc" }, "as vpc-0a1b2c3d4e5f60718"],
    ["routeTables", { ...route, routeTables: [] }, "which clients call from"],
    ["routeTables.0", { ...route, routeTables: ["main"] }, "as rtb-0a1b2c3d4e5f60718"],
    ["routeTables.1", { ...route, routeTables: [rtb(1), rtb(1)] }, "is listed twice"],
    ["elasticAddresses", { ...elastic, elasticAddresses: [] }, "enter at least one address and its Elastic IP"],
    [
      "elasticAddresses.0.address",
      { ...elastic, elasticAddresses: [{ address: "2001:db8::1", allocationId: eip(1) }] },
      "an Elastic IP is IPv4",
    ],
    [
      "elasticAddresses.1.allocationId",
      { ...elastic, elasticAddresses: [...elastic.elasticAddresses, { address: "10.0.0.8", allocationId: eip(1) }] },
      "is listed twice",
    ],
    ["credentials.accessKeyId", { ...route, credentials: { ...credentials, accessKeyId: "me" } }, "16 capital letters"],
    [
      "credentials.secretAccessKey",
      { ...route, credentials: { ...credentials, secretAccessKey: "two words of it" } },
      "as AWS showed it",
    ],
  ])("reports what is wrong with %s", (path, input, words) => {
    const { error } = updateCloudRoute.safeParse(input);
    const issues = error?.issues.map((each) => `${each.path.join(".")}: ${each.message}`) ?? [];
    expect(issues).toContainEqual(expect.stringMatching(new RegExp(`^${path}: .*${words}`)));
  });
});

describe("a change of settings leaves behind", () => {
  const by = (other: object): CloudRoute => cloudRoute.parse({ ...route, ...other });
  const three = by({ routeTables: [rtb(1), rtb(2), rtb(3)] });
  const two = {
    ...elastic,
    elasticAddresses: [...elastic.elasticAddresses, { address: "10.0.0.8", allocationId: eip(2) }],
  };
  const all = (settings: CloudRoute) => ({ settings, addresses: null, isPart: false });
  it.each<[string, CloudRoute, CloudRoute | null, LeftBehind | null]>([
    ["nothing without a change", three, three, null],
    ["nothing when tables are added", by({}), three, null],
    [
      "the removed tables",
      three,
      by({ routeTables: [rtb(2), rtb(4)] }),
      { settings: by({ routeTables: [rtb(1), rtb(3)] }), addresses: null, isPart: true },
    ],
    ["everything when no table is kept", three, by({ routeTables: [rtb(4)] }), all(three)],
    ["everything when the settings are deleted", three, null, all(three)],
    ["everything when the region changes", three, by({ region: "eu-west-1" }), all(three)],
    ["everything when the method changes", three, cloudRoute.parse(elastic), all(three)],
    ["nothing of unchanged Elastic IPs", cloudRoute.parse(elastic), cloudRoute.parse(elastic), null],
    [
      "the removed Elastic IPs, and only their addresses",
      cloudRoute.parse(two),
      cloudRoute.parse(elastic),
      {
        settings: cloudRoute.parse({ ...two, elasticAddresses: two.elasticAddresses.slice(1) }),
        addresses: ["10.0.0.8"],
        isPart: true,
      },
    ],
  ])("%s", (_, before, after, want) => {
    expect(leftBehind(before, after)).toEqual(want);
  });
});
