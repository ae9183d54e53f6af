import type { Severity } from "@fairlead/domain/event";
import type { Attention, Overview } from "@fairlead/domain/overview";
import { hideMessage, unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { listEvents } from "../event/index.ts";
import { findRestingTasks, findTroubledExposures, findTroubledNodes } from "./attention.sql.ts";
import { countExposures, countLoadBalancers, countNodes, countTasks } from "./counts.sql.ts";
import { findFullPools } from "./full-pools.ts";

const shown = 50;
const recent = 10;

export const overviewPermissions = [
  "cluster:read",
  "node:read",
  "exposure:read",
  "address-pool:read",
  "event:read",
] as const;

/** getOverview returns the state of the organisation's objects, and what needs a user's attention first. */
export async function getOverview(ctx: ServiceContext): Promise<Overview> {
  for (const permission of overviewPermissions) authorize(ctx, permission);
  const { db, organizationId, now } = ctx;
  const [clusterCount, nodes, exposures, loadBalancers, tasks, events, ...found] = await Promise.all([
    db.cluster.count({ where: { organizationId } }),
    countNodes(db, organizationId),
    countExposures(db, organizationId),
    countLoadBalancers(db, organizationId),
    countTasks(db, organizationId),
    listEvents(ctx, { sort: "at", direction: "desc", limit: recent }),
    findTroubledExposures(db, organizationId, shown),
    findTroubledNodes(db, organizationId, shown),
    findFullPools(db, organizationId, shown),
    findRestingTasks(db, organizationId, shown),
  ]);
  return {
    at: now,
    clusterCount,
    nodes,
    exposures,
    loadBalancers,
    tasks,
    attention: mostPressing(found.flatMap((each) => each.items)).map(unlessMap<Attention>(ctx, hideExposed)),
    attentionTotal: found.reduce((sum, each) => sum + each.total, 0),
    recentEvents: events.items,
  };
}

/** A full pool and a silent node are no part of an address map. */
function hideExposed(attention: Attention): Attention {
  return attention.subjectKind === "exposure" ? hideMessage(attention) : attention;
}

const rank: Record<Severity, number> = { problem: 0, warning: 1, info: 2 };

function mostPressing(all: Attention[]): Attention[] {
  return all.sort((a, b) => rank[a.severity] - rank[b.severity]).slice(0, shown);
}
