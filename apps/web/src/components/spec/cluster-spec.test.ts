import type { Cluster } from "@fairlead/domain/cluster";
import { clusterRouting } from "@fairlead/domain/routing";
import { expect, it } from "vitest";
import { clusterSettings, describeClusterEffects, lacksKey, readClusterSpec } from "./cluster-spec.ts";

const routing = clusterRouting.parse({
  asn: 65_010,
  balancers: ["10.0.0.0/24"],
  routers: [{ name: "r1", address: "10.0.0.1", asn: 65_000 }],
});
const cloudRoute = {
  ...{ provider: "aws", region: "eu-central-1", endpoint: null, vpcId: null },
  ...{ method: "route", routeTables: ["rtb-0a1b2c3d"] },
} as const satisfies Cluster["cloudRoute"];
const plain = { name: "fra", region: "fra1", labels: {}, runsAs: null, routing: null, cloudRoute: null };
const cluster = (settings: Partial<Cluster>) => ({ ...plain, kind: "kubernetes", ...settings }) as Cluster;

it("a version has the settings of a cluster without secrets, and an entry of a creation has none", () => {
  const stored = { ...plain, routing: { ...routing, hasPassword: true }, cloudRoute, kubernetes: { server: "secret" } };
  expect(readClusterSpec(stored)).toEqual({ ...plain, routing, cloudRoute });
  expect(readClusterSpec({ name: "fra", kind: "lab", region: "fra1", labels: {} })).toEqual(plain);
});

it("settings are those that are set, without secrets", () => {
  expect(clusterSettings(cluster({}))).toBeNull();
  expect(clusterSettings(cluster({ routing: { ...routing, hasPassword: true } }))).toEqual({ routing });
});

it("restoring a version without routing or cloud route states what that ends", () => {
  const current = cluster({ routing: { ...routing, hasPassword: false }, cloudRoute });
  expect(describeClusterEffects(current, plain)).toEqual([
    expect.stringContaining("All BGP sessions end"),
    expect.stringContaining("All addresses are removed from the cloud"),
  ]);
  expect(describeClusterEffects(current, { ...plain, routing, cloudRoute })).toEqual([]);
  expect(describeClusterEffects(cluster({}), { ...plain, routing })).toEqual([]);
});

it("a cloud route that is new, or at another endpoint, needs the access key", () => {
  const elsewhere = { ...cloudRoute, endpoint: "https://ec2.example.com" };
  expect(lacksKey(null, cloudRoute)).toBe(true);
  expect(lacksKey(cloudRoute, elsewhere)).toBe(true);
  expect(lacksKey(cloudRoute, { ...cloudRoute, routeTables: [] })).toBe(false);
  expect(lacksKey(cloudRoute, null)).toBe(false);
});
