import { Prisma, selectPage } from "@fairlead/db";
import type { ListRoutes, Page, Route } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals } from "../control/filter.sql.ts";
import { covers } from "./covers.sql.ts";
import { seenColumns } from "./seen-columns.ts";

const columns = [...seenColumns, "prefix", "since", "nextHops"] as const satisfies readonly (keyof Route)[];

const sorts = { prefix: { cast: "address" }, nodeName: { cast: "text" }, since: { cast: "timestamptz" } } as const;

type Row = Omit<Route, "nextHops"> & { nextHops: (Omit<Route["nextHops"][number], "since"> & { since: string })[] };

/** listRoutes answers by which next hops the kernels of our routers send prefixes. */
export async function listRoutes(ctx: ServiceContext, input: ListRoutes): Promise<Page<Route>> {
  authorize(ctx, "cluster:read");
  const page = await selectPage<Row>(ctx.db, {
    from: "route_view",
    columns,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      contains(["prefix", "nodeName"], input.search),
      covers(input.covers),
    ],
    page: input,
  });
  return { ...page, items: page.items.map(toRoute) };
}

function toRoute({ nextHops, ...row }: Row): Route {
  return { ...row, nextHops: nextHops.map((each) => ({ ...each, since: new Date(each.since) })) };
}
