import { Prisma, selectPage } from "@fairlead/db";
import type { CloudAddress, ListCloudAddresses, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";

const columns = [
  "id",
  "clusterId",
  "clusterName",
  "address",
  "loadBalancerId",
  "loadBalancerName",
  "method",
  "state",
  "reason",
  "nodeId",
  "nodeName",
  "interfaceId",
  "since",
  "observedAt",
] as const satisfies readonly (keyof CloudAddress)[];

const sorts = {
  address: { cast: "address" },
  state: { cast: "text" },
  since: { cast: "timestamptz", nullable: true },
} as const;

/** listCloudAddresses answers which replica a cloud brings each service address to, and why not where it doesn't. */
export async function listCloudAddresses(ctx: ServiceContext, input: ListCloudAddresses): Promise<Page<CloudAddress>> {
  authorize(ctx, "cluster:read");
  return selectPage<CloudAddress>(ctx.db, {
    from: "cloud_address_view",
    columns,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      isOneOf("state", input.state),
      contains(["address", "nodeName", "loadBalancerName"], input.search),
    ],
    page: input,
  });
}
