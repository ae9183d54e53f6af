import { bgpRoles } from "@fairlead/domain/node";
import type { ListRoutingTableAgents, RoutingTableAgents } from "@fairlead/domain/routing";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { seenBy } from "./query.ts";
import { selectQueried } from "./select-queried.sql.ts";

const mostAgents = 200;

/** listRoutingTableAgents returns the agents whose table can be queried. */
export async function listRoutingTableAgents(
  ctx: ServiceContext,
  { clusterId }: ListRoutingTableAgents,
): Promise<RoutingTableAgents> {
  authorize(ctx, "cluster:read");
  if (clusterId) await loadCluster(ctx.db, ctx.organizationId, clusterId);
  const agents = await selectQueried(ctx.db, ctx.organizationId, { roles: bgpRoles, clusterId, most: mostAgents });
  return { agents: agents.map(seenBy) };
}
