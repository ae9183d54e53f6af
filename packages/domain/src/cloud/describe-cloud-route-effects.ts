import type { CloudRoute, UpdateCloudRoute } from "./cloud-route.ts";

/** What the change of one field does to clients, in sentences. Empty if that field didn't change. */
type Effect = (before: CloudRoute, after: UpdateCloudRoute) => string[];

/** What removing the cloud route of a cluster does. */
export const cloudRouteRemoved =
  "All addresses are removed from the cloud. Clients can't reach them there any more, and connections break.";

type FieldOf<Settings> = Settings extends unknown ? keyof Settings : never;

/** describeCloudRouteEffects lists what a change of a cluster's cloud route does to clients and their connections. */
export function describeCloudRouteEffects(before: CloudRoute, after: UpdateCloudRoute | null): string[] {
  if (after === null) return [cloudRouteRemoved];
  return Object.values(effectsByField).flatMap((effect) => effect?.(before, after) ?? []);
}

const moves =
  "addresses are removed from the former place, then added to the new one. They are unreachable meanwhile, and connections may break.";

/** An entry for each field: null for one that doesn't affect clients. A new field without an entry is a type error. */
const effectsByField: Record<FieldOf<UpdateCloudRoute>, Effect | null> = {
  provider: null, // there is only one
  method: (before, after) => (before.method === after.method ? [] : [`Method: ${moves}`]),
  region: (before, after) => (before.region === after.region ? [] : [`Region: ${moves}`]),
  vpcId: (before, after) => (before.vpcId === after.vpcId ? [] : [`VPC: ${moves}`]),
  endpoint: (before, after) => (before.endpoint === after.endpoint ? [] : [`Endpoint: ${moves}`]),
  routeTables(before, after) {
    if (before.method !== "route" || after.method !== "route") return [];
    const dropped = before.routeTables.filter((each) => !after.routeTables.includes(each));
    if (dropped.length === 0) return [];
    return [`Route tables: clients in subnets of ${dropped.join(", ")} can't reach the addresses any more.`];
  },
  elasticAddresses(before, after) {
    if (before.method !== "elastic-address" || after.method !== "elastic-address") return [];
    const kept = new Set(after.elasticAddresses.map(pairOf));
    return before.elasticAddresses
      .filter((each) => !kept.has(pairOf(each)))
      .map(
        ({ address, allocationId }) =>
          `Elastic IPs: ${allocationId} no longer leads to ${address}. Connections through it end.`,
      );
  },
  credentials: (_, { credentials }) =>
    credentials
      ? ["Access key: with a key of another account, addresses move to that account, and connections may break."]
      : [],
};

function pairOf({ address, allocationId }: { address: string; allocationId: string }): string {
  return `${address} ${allocationId}`;
}
