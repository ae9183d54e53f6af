import { Prisma } from "@fairlead/db";
import { announcementStates, type RoutingSummary } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";
import { equals } from "../control/filter.sql.ts";

// Counts over all rows, independent of the pages of the lists behind them. Each reads the view of its list.

type Ctx = Pick<ServiceContext, "db" | "organizationId">;

const ours = ({ organizationId }: Ctx, clusterId: string | undefined): Prisma.Sql =>
  Prisma.sql`"organizationId" = ${organizationId} AND ${equals("clusterId", clusterId)}`;

/**
 * countSessions counts each session once. It is down when a reporting end reports it as down; what only silent ends reported, or
 * what one of them is silent about, is stale.
 */
export async function countSessions(ctx: Ctx, clusterId: string | undefined): Promise<RoutingSummary["sessions"]> {
  const [row] = await ctx.db.$queryRaw<RoutingSummary["sessions"][]>`
    WITH session_end AS (
      SELECT "clusterId", "nodeName" AS own, coalesce(nullif("peerName", ''), "peerAddress") AS other, family,
        state = 'established' AS up, "isStale" FROM bgp_session_view WHERE ${ours(ctx, clusterId)}
    ), session AS (
      SELECT bool_or(NOT up AND NOT "isStale") AS down, bool_or("isStale") AS stale
      FROM session_end GROUP BY "clusterId", least(own, other), greatest(own, other), family
    )
    SELECT count(*)::int AS total, count(*) FILTER (WHERE down)::int AS down, count(*) FILTER (WHERE stale AND NOT down)::int AS stale,
      count(*) FILTER (WHERE NOT stale AND NOT down)::int AS up FROM session`;
  return row ?? { total: 0, up: 0, down: 0, stale: 0 };
}

export async function countAnnouncements(
  ctx: Ctx,
  clusterId: string | undefined,
): Promise<RoutingSummary["announcements"]> {
  const rows = await ctx.db.$queryRaw<
    { state: (typeof announcementStates)[number]; isStale: boolean; count: number }[]
  >`
    SELECT state, "isStale", count(*)::int AS count FROM announcement_view WHERE ${ours(ctx, clusterId)} GROUP BY 1, 2`;
  const count = (of: typeof rows) => of.reduce((sum, each) => sum + each.count, 0);
  const byState = Object.fromEntries(
    announcementStates.map((state) => [state, count(rows.filter((each) => each.state === state && !each.isStale))]),
  ) as RoutingSummary["announcements"]["byState"];
  return { total: count(rows), stale: count(rows.filter((each) => each.isStale)), byState };
}

export async function countRoutes(ctx: Ctx, clusterId: string | undefined): Promise<RoutingSummary["routes"]> {
  const [row] = await ctx.db.$queryRaw<RoutingSummary["routes"][]>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE v."isStale")::int AS stale,
      count(DISTINCT v."nodeId")::int AS "routerCount", coalesce(min(hops.count), 0)::int AS "fewestNextHops",
      coalesce(max(hops.count), 0)::int AS "mostNextHops"
    FROM (SELECT id, "nodeId", "isStale" FROM route_view WHERE ${ours(ctx, clusterId)}) v JOIN route r ON r.id = v.id
    CROSS JOIN LATERAL (SELECT jsonb_array_length(r.next_hops) AS count) hops`;
  return row ?? { total: 0, stale: 0, routerCount: 0, fewestNextHops: 0, mostNextHops: 0 };
}
