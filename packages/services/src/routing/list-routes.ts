import { shareOut } from "@fairlead/domain/experiment";
import type { ListRoutes, Route, RoutePage } from "@fairlead/domain/routing";
import { mayReadMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isTrue } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { lookedUp } from "./looked-up.sql.ts";
import { type Measured, measureHops } from "./measure-hops.sql.ts";
import { routeSource } from "./rows.ts";
import { selectLeftOut } from "./select-left-out.sql.ts";

const sorts = { prefix: { cast: "address" }, nodeName: { cast: "text" }, since: { cast: "timestamptz" } } as const;

type Hop = Route["nextHops"][number];
type Row = Omit<Route, "nextHops"> & {
  nextHops: (Pick<Hop, "address" | "nodeId" | "nodeName" | "weight"> & { since: string })[] | null;
};

/** listRoutes returns the next hops to which our routers' kernels send prefixes, and the traffic at each of them. */
export async function listRoutes(ctx: ServiceContext, input: ListRoutes): Promise<RoutePage> {
  const page = await listWithin<Row>(ctx, "cluster:read", input, {
    ...routeSource,
    sort: sorts[input.sort],
    where: [
      equals("clusterId", input.clusterId),
      contains(["prefix", "nodeName"], input.search),
      isTrue('"isStale"', input.isStale),
      lookedUp(input),
    ],
  });
  const leftOut = await selectLeftOut(ctx, input.clusterId);
  const hops = page.items.flatMap(({ clusterId, prefix, nextHops }) =>
    (nextHops ?? []).map(({ address }) => ({ clusterId, prefix, address })),
  );
  // The figures of one hop are those of one load balancer, so a member who reads both could join its address to it.
  const measured = mayReadMap(ctx) ? await measureHops(ctx.db, hops, ctx.now) : new Map<number, Measured>();
  let next = 0;
  return { ...page, leftOut, items: page.items.map((row) => toRoute(row, () => measured.get(next++) ?? null)) };
}

function toRoute({ nextHops, ...row }: Row, measure: () => Measured | null): Route {
  const hops = (nextHops ?? []).map((hop) => ({ hop, measured: measure() }));
  const shares = shareOut(hops.map(({ hop }) => hop.weight));
  const measuredShares = shareOut(hops.map(({ measured }) => measured?.throughputBps ?? null));
  return {
    ...row,
    nextHops: hops.map(({ hop, measured }, i) => ({
      ...hop,
      since: new Date(hop.since),
      share: shares[i] ?? null,
      throughputBps: measured?.throughputBps ?? null,
      measuredShare: measuredShares[i] ?? null,
      measuredAt: measured?.measuredAt ?? null,
    })),
  };
}
