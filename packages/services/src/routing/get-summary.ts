import { type GetRoutingSummary, groupTopology, type RoutingSummary } from "@fairlead/domain/routing";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { countAnnouncements, countRoutes, countSessions } from "./count-routing.sql.ts";
import { selectFlows, selectSessionEnds } from "./select-topology.sql.ts";

/** getRoutingSummary summarises the state of routing, of one cluster or of all, and its topology. */
export async function getRoutingSummary(
  ctx: ServiceContext,
  { clusterId }: GetRoutingSummary,
): Promise<RoutingSummary> {
  authorize(ctx, "cluster:read");
  if (clusterId) await loadCluster(ctx.db, ctx.organizationId, clusterId);
  const [sessions, announcements, routes, ends, flows] = await Promise.all([
    countSessions(ctx, clusterId),
    countAnnouncements(ctx, clusterId),
    countRoutes(ctx, clusterId),
    selectSessionEnds(ctx, clusterId),
    selectFlows(ctx, clusterId),
  ]);
  const topology = groupTopology(ends, flows);
  const drawn = topology.links.reduce((sum, { up, down, stale }) => sum + up + down + stale, 0);
  return {
    at: ctx.now,
    sessions,
    announcements,
    routes,
    topology: { ...topology, leftOut: Math.max(0, sessions.total - drawn) },
  };
}
