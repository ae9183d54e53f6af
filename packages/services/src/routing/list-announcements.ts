import { Prisma, selectPage } from "@fairlead/db";
import type { Announcement, ListAnnouncements, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { lookedUp } from "./looked-up.sql.ts";
import { seenColumns } from "./seen-columns.ts";

const columns = [
  ...seenColumns,
  "prefix",
  "nextHop",
  "loadBalancerId",
  "loadBalancerName",
  "stand",
  "standSince",
  "reason",
] as const satisfies readonly (keyof Announcement)[];

const sorts = {
  prefix: { cast: "address" },
  nodeName: { cast: "text" },
  stand: { cast: "text" },
  standSince: { cast: "timestamptz" },
} as const;

/** listAnnouncements answers who offers what to routers, over all speakers at once. */
export async function listAnnouncements(ctx: ServiceContext, input: ListAnnouncements): Promise<Page<Announcement>> {
  authorize(ctx, "cluster:read");
  return selectPage<Announcement>(ctx.db, {
    from: "announcement_view",
    columns,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      equals("loadBalancerId", input.loadBalancerId),
      isOneOf("stand", input.stand),
      contains(["prefix", "nodeName", "loadBalancerName"], input.search),
      lookedUp(input),
    ],
    page: input,
  });
}
