import type { Tx } from "@fairlead/db";
import { markRouting } from "@fairlead/services";

/**
 * selectSpannedClusters returns the clusters whose reflectors and routers have something of an exposure in their filters or peers: it
 * spans several clusters, or its address is from a pool of another one.
 */
export async function selectSpannedClusters(tx: Tx, exposureId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT l.cluster_id AS id FROM load_balancer l
      LEFT JOIN virtual_address v ON v.load_balancer_id = coalesce(l.address_of_id, l.id) LEFT JOIN address_pool p ON p.id = v.pool_id
    WHERE l.exposure_id = ${exposureId} AND (p.cluster_id <> l.cluster_id OR EXISTS (
      SELECT 1 FROM load_balancer o WHERE o.exposure_id = l.exposure_id AND o.cluster_id <> l.cluster_id)) ORDER BY 1`;
  return rows.map((each) => each.id);
}

/** markSpanned marks the reflectors and routers of these clusters, after load balancers of an exposure were deleted. */
export async function markSpanned(tx: Tx, clusterIds: readonly string[]): Promise<void> {
  for (const id of clusterIds) await markRouting(tx, id);
}
