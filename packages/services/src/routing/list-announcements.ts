import type { Page } from "@fairlead/domain";
import type { Announcement, ListAnnouncements } from "@fairlead/domain/routing";
import { authorizeMapFilter, mayReadMap, unlessMap, withoutBalancer } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, isTrue } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { lookedUp } from "./looked-up.sql.ts";
import { announcementSource } from "./rows.ts";

const sorts = {
  prefix: { cast: "address" },
  nodeName: { cast: "text" },
  state: { cast: "text" },
  stateSince: { cast: "timestamptz" },
} as const;

/** listAnnouncements returns who offers what to routers, over all speakers at once. */
export async function listAnnouncements(ctx: ServiceContext, input: ListAnnouncements): Promise<Page<Announcement>> {
  authorizeMapFilter(ctx, input.loadBalancerId !== undefined);
  const page = await listWithin<Announcement>(ctx, "cluster:read", input, {
    ...announcementSource,
    sort: sorts[input.sort],
    where: [
      equals("clusterId", input.clusterId),
      equals("loadBalancerId", input.loadBalancerId),
      isOneOf("state", input.state),
      isTrue('"isStale"', input.isStale),
      contains(["prefix", "nodeName", ...(mayReadMap(ctx) ? ["loadBalancerName"] : [])], input.search),
      lookedUp(input),
    ],
  });
  return { ...page, items: page.items.map(unlessMap<Announcement>(ctx, withoutBalancer)) };
}
