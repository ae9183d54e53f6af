import { Prisma, selectPage } from "@fairlead/db";
import type { ListLoadBalancers, LoadBalancer, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
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
  authorize(ctx, "exposure:read");
  return selectPage<LoadBalancer>(ctx.db, {
    ...loadBalancerSource,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["name", "address"], input.search),
      equals("clusterId", input.clusterId),
      equals("exposureId", input.exposureId),
      isOneOf("strategy", input.strategy),
      isOneOf("phase", input.phase),
    ],
    page: input,
  });
}
