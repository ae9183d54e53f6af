import { mostCounted, type Page } from "@fairlead/domain";
import type { ListRouteUpdates, RouteUpdate, StepTaken } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";
import { contains, equals, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { lookedUp } from "./looked-up.sql.ts";
import { routeUpdateSource } from "./rows.ts";

type Row = Omit<RouteUpdate, "steps"> & { steps: StepTaken[] };

/** listRouteUpdates returns which next hops were added and removed, and how long each phase of that took. */
export async function listRouteUpdates(ctx: ServiceContext, input: ListRouteUpdates): Promise<Page<RouteUpdate>> {
  const page = await listWithin<Row>(ctx, "cluster:read", input, {
    ...routeUpdateSource,
    sort: { cast: "timestamptz" },
    where: [
      equals("clusterId", input.clusterId),
      contains(["prefix", "nextHop", "nodeName"], input.search),
      lookedUp(input),
      within("beganAt", input.from, input.to),
    ],
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
