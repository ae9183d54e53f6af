import type { Tx } from "@fairlead/db";
import type { KernelRoute } from "@fairlead/domain/experiment";

/** selectRouters returns the agents of a cluster that report their kernels' routes. */
export async function selectRouters(tx: Tx, clusterId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT v.id FROM agent_view v JOIN node n ON n.id = v."nodeId"
    WHERE n.cluster_id = ${clusterId} AND 'router' = ANY(v.roles) AND v.state IN ('in-sync', 'out-of-sync') ORDER BY v.id`;
  return rows.map((each) => each.id);
}

/** selectKernelRoutes reads how those routers' kernels route these prefixes. */
export async function selectKernelRoutes(tx: Tx, routerIds: string[], prefixes: string[]): Promise<KernelRoute[]> {
  return tx.$queryRaw<KernelRoute[]>`
    SELECT r.agent_id AS "routerId", host(r.prefix) || '/' || masklen(r.prefix) AS prefix, r.changed_at AS "changedAt",
      ARRAY(SELECT hop ->> 'address' FROM jsonb_array_elements(r.next_hops) hop ORDER BY 1) AS hops
    FROM route r WHERE r.agent_id = ANY(${routerIds}::text[]) AND r.prefix = ANY(${prefixes}::inet[])`;
}
