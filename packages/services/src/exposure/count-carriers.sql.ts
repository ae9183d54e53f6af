import type { Tx } from "@fairlead/db";

/** countCarriers counts the agents of a role in a cluster that report. Each carries at most one replica of a load balancer. */
export async function countCarriers(tx: Tx, clusterId: string, role: "balancer" | "adaptive"): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM agent a JOIN node n ON n.id = a.node_id JOIN agent_view v ON v.id = a.id
    WHERE n.cluster_id = ${clusterId} AND a.revoked_at IS NULL AND ${role} = ANY(a.roles) AND v.state IN ('in-sync', 'out-of-sync')`;
  return row?.count ?? 0;
}
