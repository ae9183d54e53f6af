import { Prisma } from "@fairlead/db";
import type { RoutesLeftOut } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";

/** The most agents that can be queried at once. */
const most = 32;

/** selectLeftOut finds routers whose kernels have more routes than fit into a report. */
export function selectLeftOut(
  { db, organizationId }: Pick<ServiceContext, "db" | "organizationId">,
  clusterId: string | undefined,
): Promise<RoutesLeftOut[]> {
  const where = clusterId ? Prisma.sql`AND n.cluster_id = ${clusterId}` : Prisma.empty;
  return db.$queryRaw`
    SELECT a.id AS "agentId", n.id AS "nodeId", n.name AS "nodeName", kept.count AS kept,
      kept.count + t.routes_left_out::float8 AS known
    FROM bgp_status t JOIN agent a ON a.id = t.agent_id AND a.revoked_at IS NULL JOIN node n ON n.id = a.node_id
    CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM route r WHERE r.agent_id = a.id) kept
    WHERE a.organization_id = ${organizationId} AND t.routes_left_out > 0 ${where}
    ORDER BY n.name, a.id LIMIT ${most}`;
}
