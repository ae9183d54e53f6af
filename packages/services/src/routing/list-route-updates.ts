import { Prisma, selectPage } from "@fairlead/db";
import { type ListRouteUpdates, mostCounted, type Page, type RouteUpdate, type StepTaken } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, within } from "../control/filter.sql.ts";
import { lookedUp } from "./looked-up.sql.ts";

const columns = [
  "id",
  "clusterId",
  "clusterName",
  "prefix",
  "nextHop",
  "nodeId",
  "nodeName",
  "isWithdrawal",
  "beganAt",
  "cause",
  "steps",
  "phasesMs",
] as const satisfies readonly (keyof RouteUpdate)[];

type Row = Omit<RouteUpdate, "steps"> & { steps: StepTaken[] };

/** listRouteUpdates answers which next hops came and went, and how long each phase of that took. */
export async function listRouteUpdates(ctx: ServiceContext, input: ListRouteUpdates): Promise<Page<RouteUpdate>> {
  authorize(ctx, "cluster:read");
  const page = await selectPage<Row>(ctx.db, {
    from: "route_update_view",
    columns,
    sort: { column: input.sort, cast: "timestamptz" },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      contains(["prefix", "nextHop", "nodeName"], input.search),
      lookedUp(input),
      within("beganAt", input.from, input.to),
    ],
    page: input,
    countAtMost: mostCounted,
  });
  return { ...page, items: page.items.map(toRouteUpdate) };
}

function toRouteUpdate({ steps, ...row }: Row): RouteUpdate {
  const from = steps[0]?.atUs ?? 0;
  return {
    ...row,
    steps: steps.map(({ step, nodeName, atUs }) => ({ step, nodeName, afterMs: (atUs - from) / 1_000 })),
  };
}
