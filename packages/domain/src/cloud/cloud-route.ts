import { z } from "zod";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import { cloudAddressStates, cloudRouteMethods } from "./cloud-states.ts";

const mostPlaces = 64;
const idIn = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`), `enter the id of ${what}, such as ${prefix}-0a1b2c3d4e5f60718`)
    .meta({ examples: [`${prefix}-0a1b2c3d4e5f60718`] });

export const cloudRegion = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/, "enter the code of a region, such as eu-central-1")
  .meta({ examples: ["eu-central-1"] });

const place = {
  provider: z.literal("aws"),
  region: cloudRegion,
  endpoint: z
    .url({ protocol: /^https?$/, error: "enter the address of an EC2 API, such as https://vpce-….amazonaws.com" })
    .max(300)
    .nullable()
    .default(null)
    .describe("The EC2 API, if it isn't the region's default endpoint."),
  vpcId: idIn("vpc", "the VPC")
    .nullable()
    .default(null)
    .describe("The VPC of the balancers. Needed if two VPCs of the account have the same addresses."),
};
const byRoute = {
  ...place,
  method: z.literal("route").describe("Route table entries point to the network interface of the replica."),
  routeTables: z
    .array(idIn("rtb", "a route table"))
    .min(1, "enter at least one route table: that of the subnets which clients call from")
    .max(mostPlaces, `${mostPlaces} at most`)
    .meta({ uniqueItems: true }),
};
const bySecondary = {
  ...place,
  method: z
    .literal("secondary-address")
    .describe("The address is a secondary private address of the replica's network interface."),
};
const byElastic = {
  ...place,
  method: z
    .literal("elastic-address")
    .describe("As secondary-address, with an Elastic IP for clients on the internet."),
  elasticAddresses: z
    .array(
      z
        .strictObject({
          address: z.ipv4("an Elastic IP is IPv4").describe("A service address of the cluster's pools."),
          allocationId: idIn("eipalloc", "an Elastic IP's allocation").describe(
            "The allocation of the Elastic IP that leads to it.",
          ),
        })
        .meta({ id: "ElasticAddress" }),
    )
    .min(1, "enter at least one address and its Elastic IP")
    .max(mostPlaces, `${mostPlaces} at most`),
};

/** How service addresses of a cluster reach a healthy replica without a BGP router. */
export const cloudRoute = z
  .discriminatedUnion("method", [
    z.strictObject(byRoute).meta({ id: "RouteTableRoute" }),
    z.strictObject(bySecondary).meta({ id: "SecondaryAddressRoute" }),
    z.strictObject(byElastic).meta({ id: "ElasticAddressRoute" }),
  ])
  .superRefine(checkOnce)
  .meta({ id: "CloudRoute" });
export type CloudRoute = z.infer<typeof cloudRoute>;
export type CloudRouteMethod = CloudRoute["method"];

export const cloudCredentials = z
  .strictObject({
    accessKeyId: z.string().regex(/^[A-Z0-9]{16,128}$/, "an access key id is 16 capital letters and digits or more"),
    secretAccessKey: z
      .string()
      .regex(/^[\x21-\x7e]{16,128}$/, "enter the key as AWS showed it: 40 characters, no blanks"),
  })
  .meta({ id: "CloudCredentials" });
export type CloudCredentials = z.infer<typeof cloudCredentials>;

const written = { credentials: cloudCredentials.optional().describe("Write-only. If absent, they stay unchanged.") };

/** Credentials are write-only. */
export const updateCloudRoute = z
  .discriminatedUnion("method", [
    z.strictObject({ ...byRoute, ...written }).meta({ id: "UpdateRouteTableRoute" }),
    z.strictObject({ ...bySecondary, ...written }).meta({ id: "UpdateSecondaryAddressRoute" }),
    z.strictObject({ ...byElastic, ...written }).meta({ id: "UpdateElasticAddressRoute" }),
  ])
  .superRefine(checkOnce)
  .meta({ id: "UpdateCloudRoute" });
export type UpdateCloudRoute = z.infer<typeof updateCloudRoute>;

type Lists = { method: string; routeTables?: string[]; elasticAddresses?: { address: string; allocationId: string }[] };

function checkOnce({ routeTables = [], elasticAddresses = [] }: Lists, ctx: z.RefinementCtx): void {
  const twice = (values: string[], path: (index: number) => (string | number)[]) => {
    const index = values.findIndex((value, i) => values.indexOf(value) !== i);
    if (index >= 0) ctx.addIssue({ code: "custom", path: path(index), message: `${values[index]} is listed twice` });
  };
  twice(routeTables, (index) => ["routeTables", index]);
  for (const field of ["address", "allocationId"] as const)
    twice(
      elasticAddresses.map((each) => each[field]),
      (index) => ["elasticAddresses", index, field],
    );
}

/** LeftBehind is what earlier settings placed in the cloud and has to be removed. */
export type LeftBehind = {
  settings: CloudRoute;
  /** null for all addresses of the cluster. */
  addresses: readonly string[] | null;
  /** The new settings still use the same method there, so the marks in the cloud stay. */
  isPart: boolean;
};

/**
 * leftBehind is what earlier settings placed and the new settings don't manage. It has to be removed first. null if there is
 * nothing, for example when a route table was added.
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
    // If none is kept, the new tables may be in another account.
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

/** A service address, and the replica that the cloud routes it to. */
export const cloudAddress = z
  .object({
    id: idOf("cloudAddress"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    address: z.string(),
    loadBalancerId: idOf("loadBalancer")
      .nullable()
      .describe(
        "null while the address of a deleted load balancer is being removed, and without the permission map:read.",
      ),
    loadBalancerName: z.string().nullable(),
    method: z.enum(cloudRouteMethods),
    state: z.enum(cloudAddressStates),
    reason: z.string().describe("Why it isn't in place, or why it moved."),
    nodeId: idOf("node").nullable().describe("The node of the replica that it is routed to."),
    nodeName: z.string().nullable(),
    interfaceId: z.string().describe("The network interface, as read back from the cloud; empty if there is none."),
    since: z.date().nullable().describe("Since when it has been there."),
    observedAt: volatile(z.date().nullable().describe("When the cloud was last queried.")),
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
