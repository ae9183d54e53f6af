import type { Page } from "@fairlead/domain";
import type { CloudAddress, ListCloudAddresses } from "@fairlead/domain/cloud";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { cloudAddressSource } from "./rows.ts";

const sorts = {
  address: { cast: "address" },
  state: { cast: "text" },
  since: { cast: "timestamptz", nullable: true },
} as const;

/** listCloudAddresses answers which replica a cloud brings each service address to, and why not where it doesn't. */
export async function listCloudAddresses(ctx: ServiceContext, input: ListCloudAddresses): Promise<Page<CloudAddress>> {
  return listWithin<CloudAddress>(ctx, "cluster:read", input, {
    ...cloudAddressSource,
    sort: sorts[input.sort],
    where: [
      equals("clusterId", input.clusterId),
      isOneOf("state", input.state),
      contains(["address", "nodeName", "loadBalancerName"], input.search),
    ],
  });
}
