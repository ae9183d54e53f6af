import type { Tx } from "@fairlead/db";

/** Each agent carries at most one replica of a load balancer. */
export type Carriers = {
  balancers: number;
  adaptive: number;
  /** Balancers on a node with an agent of the role adaptive. */
  balancersBesideAdaptive: number;
};

/** countCarriers counts the agents of a cluster that report. */
export async function countCarriers(tx: Tx, clusterId: string): Promise<Carriers> {
  const [row] = await tx.$queryRaw<Carriers[]>`
    SELECT (count(*) FILTER (WHERE 'balancer' = ANY(a.roles)))::int AS balancers,
      (count(*) FILTER (WHERE 'adaptive' = ANY(a.roles)))::int AS adaptive,
      (count(*) FILTER (WHERE 'balancer' = ANY(a.roles)
        AND EXISTS (SELECT 1 FROM agent d WHERE d.node_id = a.node_id AND d.revoked_at IS NULL AND 'adaptive' = ANY(d.roles))))::int AS "balancersBesideAdaptive"
    FROM agent a JOIN node n ON n.id = a.node_id JOIN agent_view v ON v.id = a.id
    WHERE n.cluster_id = ${clusterId} AND a.revoked_at IS NULL AND v.state IN ('in-sync', 'out-of-sync')`;
  return row ?? { balancers: 0, adaptive: 0, balancersBesideAdaptive: 0 };
}
