import type { Overview } from "@fairlead/domain/overview";
import { authorize, type ServiceContext } from "../context.ts";
import { listEvents } from "../event/index.ts";
import { countExposures, countLoadBalancers, countNodes, countTasks } from "./counts.sql.ts";

const recent = 10;

export const overviewPermissions = ["cluster:read", "node:read", "exposure:read", "event:read"] as const;

/** getOverview returns the state of the organisation's objects, and its last events. */
export async function getOverview(ctx: ServiceContext): Promise<Overview> {
  for (const permission of overviewPermissions) authorize(ctx, permission);
  const { db, organizationId, now } = ctx;
  const [clusterCount, nodes, exposures, loadBalancers, tasks, events] = await Promise.all([
    db.cluster.count({ where: { organizationId } }),
    countNodes(db, organizationId),
    countExposures(db, organizationId),
    countLoadBalancers(db, organizationId),
    countTasks(db, organizationId),
    listEvents(ctx, { sort: "at", direction: "desc", limit: recent }),
  ]);
  return {
    at: now,
    clusterCount,
    nodes,
    exposures,
    loadBalancers,
    tasks,
    recentEvents: events.items,
  };
}
