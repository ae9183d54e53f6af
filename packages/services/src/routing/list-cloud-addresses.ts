import type { Page } from "@fairlead/domain";
import type { CloudAddress, ListCloudAddresses } from "@fairlead/domain/cloud";
import { mayReadMap, unlessMap, withoutBalancer } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { cloudAddressSource } from "./rows.ts";

const sorts = {
  address: { cast: "address" },
  state: { cast: "text" },
  since: { cast: "timestamptz", nullable: true },
} as const;

/** listCloudAddresses returns the replica that a cloud routes each service address to, and the problem if it can't. */
export async function listCloudAddresses(ctx: ServiceContext, input: ListCloudAddresses): Promise<Page<CloudAddress>> {
  const page = await listWithin<CloudAddress>(ctx, "cluster:read", input, {
    ...cloudAddressSource,
    sort: sorts[input.sort],
    where: [
      equals("clusterId", input.clusterId),
      isOneOf("state", input.state),
      contains(["address", "nodeName", ...(mayReadMap(ctx) ? ["loadBalancerName"] : [])], input.search),
    ],
  });
  return { ...page, items: page.items.map(unlessMap<CloudAddress>(ctx, withoutBalancer)) };
}
