import { z } from "zod";
import { ipAddress } from "../address/address.ts";
import { isSix } from "../address/family.ts";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { cloudAddressStates, cloudRouteMethods } from "./cloud-states.ts";

const mostPlaces = 64;
const idIn = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`), `write the id of ${what}, as ${prefix}-0a1b2c3d4e5f60718`)
    .meta({ examples: [`${prefix}-0a1b2c3d4e5f60718`] });

export const cloudRegion = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/, "write the code of a region, as eu-central-1")
  .meta({ examples: ["eu-central-1"] });

const place = {
  provider: z.literal("aws"),
  region: cloudRegion,
  endpoint: z
    .url({ protocol: /^https?$/, error: "write the address of an EC2 API, as https://vpce-….amazonaws.com" })
    .max(300)
    .nullable()
    .default(null)
    .describe("Of the EC2 API, where it isn't the region's own."),
  vpcId: idIn("vpc", "the VPC")
    .nullable()
    .default(null)
    .describe("Where balancers are; needed where two VPCs of the account have the same addresses."),
};
const byRoute = {
  ...place,
  method: z.literal("route").describe("An entry in route tables leads to the network interface of the replica."),
  routeTables: z
    .array(idIn("rtb", "a route table"))
    .min(1, "name a route table at least: that of the subnets which clients call from")
    .max(mostPlaces, `${mostPlaces} at most`),
};
const bySecondary = {
  ...place,
  method: z
    .literal("secondary-address")
    .describe("The address is a secondary private one of the replica's network interface."),
};
const byElastic = {
  ...place,
  method: z
    .literal("elastic-address")
    .describe("As secondary-address, and an Elastic IP leads there from the Internet."),
  elasticAddresses: z
    .array(
      z.strictObject({
        address: ipAddress.describe("A service address of the cluster's pools."),
        allocationId: idIn("eipalloc", "an Elastic IP's allocation").describe("Of the Elastic IP that leads to it."),
      }),
    )
    .min(1, "name an address and its Elastic IP at least")
    .max(mostPlaces, `${mostPlaces} at most`),
};

/** How service addresses of a cluster get to a healthy replica where no router listens to BGP. */
export const cloudRoute = z
  .discriminatedUnion("method", [z.strictObject(byRoute), z.strictObject(bySecondary), z.strictObject(byElastic)])
  .superRefine(checkOnce)
  .meta({ id: "CloudRoute" });
export type CloudRoute = z.infer<typeof cloudRoute>;
export type CloudRouteMethod = CloudRoute["method"];

export const cloudCredentials = z
  .strictObject({
    accessKeyId: z.string().regex(/^[A-Z0-9]{16,128}$/, "an access key id is 16 capital letters and digits or more"),
    secretAccessKey: z
      .string()
      .regex(/^[\x21-\x7e]{16,128}$/, "write the key as AWS showed it: 40 characters, no blanks"),
  })
  .meta({ id: "CloudCredentials" });
export type CloudCredentials = z.infer<typeof cloudCredentials>;

const written = { credentials: cloudCredentials.optional().describe("Absent: as they were. They are never read.") };

/** The credentials are written, and never read. */
export const updateCloudRoute = z
  .discriminatedUnion("method", [
    z.strictObject({ ...byRoute, ...written }),
    z.strictObject({ ...bySecondary, ...written }),
    z.strictObject({ ...byElastic, ...written }),
  ])
  .superRefine(checkOnce)
  .meta({ id: "UpdateCloudRoute" });
export type UpdateCloudRoute = z.infer<typeof updateCloudRoute>;

type Lists = { method: string; routeTables?: string[]; elasticAddresses?: { address: string; allocationId: string }[] };

function checkOnce({ routeTables = [], elasticAddresses = [] }: Lists, ctx: z.RefinementCtx): void {
  const twice = (values: string[], path: (index: number) => (string | number)[]) => {
    const index = values.findIndex((value, i) => values.indexOf(value) !== i);
    if (index >= 0) ctx.addIssue({ code: "custom", path: path(index), message: `${values[index]} is here twice` });
  };
  twice(routeTables, (index) => ["routeTables", index]);
  for (const field of ["address", "allocationId"] as const)
    twice(
      elasticAddresses.map((each) => each[field]),
      (index) => ["elasticAddresses", index, field],
    );
  for (const [index, { address }] of elasticAddresses.entries())
    if (isSix(address))
      ctx.addIssue({ code: "custom", path: ["elasticAddresses", index, "address"], message: "an Elastic IP is IPv4" });
}

/** LeftBehind is what has to be taken away from where earlier settings placed it. */
export type LeftBehind = {
  settings: CloudRoute;
  /** null for all of the cluster's. */
  addresses: readonly string[] | null;
  /** The new settings place addresses beside these, by the same way: what is marked there stays so. */
  isPart: boolean;
};

/**
 * leftBehind is what earlier settings have placed and the new ones don't look after: what has to be taken away first.
 * null for nothing, as where a route table was added.
 */
export function leftBehind(before: CloudRoute, after: CloudRoute | null): LeftBehind | null {
  const all = { settings: before, addresses: null, isPart: false };
  const isSamePlace =
    after !== null &&
    (["provider", "region", "endpoint", "vpcId"] as const).every((field) => before[field] === after[field]);
  if (!isSamePlace) return all;
  if (before.method === "route" && after.method === "route") {
    const dropped = before.routeTables.filter((each) => !after.routeTables.includes(each));
    if (dropped.length === 0) return null;
    // With none kept they may well be of another account.
    if (dropped.length === before.routeTables.length) return all;
    return { settings: { ...before, routeTables: dropped }, addresses: null, isPart: true };
  }
  if (before.method === "elastic-address" && after.method === "elastic-address") {
    const kept = new Set(after.elasticAddresses.map((each) => `${each.address} ${each.allocationId}`));
    const dropped = before.elasticAddresses.filter((each) => !kept.has(`${each.address} ${each.allocationId}`));
    if (dropped.length === 0) return null;
    if (dropped.length === before.elasticAddresses.length) return all;
    const addresses = dropped.map((each) => each.address);
    return { settings: { ...before, elasticAddresses: dropped }, addresses, isPart: true };
  }
  return before.method === after.method ? null : all;
}

/** A service address, and which replica the cloud brings it to. */
export const cloudAddress = z
  .object({
    id: idOf("cloudAddress"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    address: z.string(),
    loadBalancerId: idOf("loadBalancer").nullable().describe("null while the address of a deleted one is taken away."),
    loadBalancerName: z.string().nullable(),
    method: z.enum(cloudRouteMethods),
    state: z.enum(cloudAddressStates),
    reason: z.string().describe("Why it isn't where it should be, or why it moved there."),
    nodeId: idOf("node").nullable().describe("Of the replica that it is brought to."),
    nodeName: z.string().nullable(),
    interfaceId: z.string().describe("The network interface as read back from the cloud; empty while there is none."),
    since: z.date().nullable().describe("When it was first seen there."),
    observedAt: z.date().nullable().describe("When the cloud was last asked."),
  })
  .meta({ id: "CloudAddress" });
export type CloudAddress = z.infer<typeof cloudAddress>;
export type CloudAddressState = CloudAddress["state"];

export const listCloudAddresses = listInput(
  ["address", "state", "since"],
  { clusterId: idOf("cluster").optional(), state: manyOf(z.enum(cloudAddressStates)) },
  { sort: "address", direction: "asc" },
);
export type ListCloudAddresses = z.infer<typeof listCloudAddresses>;
