import type { Page } from "@fairlead/domain";
import { hideBalancerAddress, type ListLoadBalancers, type LoadBalancer } from "@fairlead/domain/load-balancer";
import { authorizeMapFilter, mayReadMap, unlessMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, isTrue } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { loadBalancerSource } from "./rows.ts";

const sorts = {
  name: { cast: "text" },
  address: { cast: "address" },
  phase: { cast: "text" },
  strategy: { cast: "text" },
  clusterName: { cast: "text" },
  exposureName: { cast: "text" },
  createdAt: { cast: "timestamptz" },
  updatedAt: { cast: "timestamptz" },
} as const;

export async function listLoadBalancers(ctx: ServiceContext, input: ListLoadBalancers): Promise<Page<LoadBalancer>> {
  authorizeMapFilter(ctx, input.sort === "address");
  const page = await listWithin<LoadBalancer>(ctx, "exposure:read", input, {
    ...loadBalancerSource,
    sort: sorts[input.sort],
    where: [
      contains(mayReadMap(ctx) ? ["name", "address"] : "name", input.search),
      equals("clusterId", input.clusterId),
      equals("exposureId", input.exposureId),
      isOneOf("strategy", input.strategy),
      isOneOf("phase", input.phase),
      isTrue("phase = 'serving'", input.isServing),
    ],
  });
  return { ...page, items: page.items.map(unlessMap(ctx, hideBalancerAddress)) };
}
