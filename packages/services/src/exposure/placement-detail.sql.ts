import { Prisma, type Tx } from "@fairlead/db";
import type { PlacementDetail } from "@fairlead/domain/exposure";
import { shareIn } from "./workload-in.sql.ts";

/**
 * selectPlacements returns the clusters that an exposure spans, and how many of its flows the kernels of our routers send to each.
 * A router that is silent doesn't count.
 */
export async function selectPlacements(tx: Tx, exposureId: string): Promise<PlacementDetail[]> {
  return tx.$queryRaw<PlacementDetail[]>`
    WITH balancer AS (
      SELECT l.id, l.cluster_id, l.address_of_id, l.deleted_at, v.address, ${shareIn(Prisma.sql`l.cluster_id`)} AS share
      FROM exposure_in_effect_view e JOIN load_balancer l ON l.exposure_id = e.id
      LEFT JOIN virtual_address v ON v.load_balancer_id = coalesce(l.address_of_id, l.id)
      WHERE e.id = ${exposureId} AND EXISTS (SELECT 1 FROM load_balancer o WHERE o.exposure_id = e.id AND o.address_of_id IS NOT NULL)
    ), routed AS (
      SELECT r.agent_id, r.observed_at, hop.address, (hop.weight)::float8 / sum(hop.weight) OVER (PARTITION BY r.id) AS part
      FROM route r JOIN agent_view v ON v.id = r.agent_id AND v.state <> 'silent'
      CROSS JOIN LATERAL jsonb_to_recordset(r.next_hops) AS hop (address inet, weight int)
      WHERE r.prefix IN (SELECT set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END) FROM balancer)
        AND r.organization_id = (SELECT organization_id FROM exposure WHERE id = ${exposureId})
    ), shares AS (
      SELECT b.id, sum(routed.part) * 100 / (SELECT count(DISTINCT agent_id) FROM routed) AS share, max(routed.observed_at) AS at
      FROM balancer b CROSS JOIN routed
      WHERE EXISTS (SELECT 1 FROM announcement a WHERE a.load_balancer_id = b.id AND a.next_hop = routed.address) GROUP BY b.id
    )
    SELECT b.cluster_id AS "clusterId", c.name AS "clusterName", b.id AS "loadBalancerId",
      CASE WHEN b.deleted_at IS NULL THEN b.share END AS share,
      CASE WHEN EXISTS (SELECT 1 FROM routed) THEN coalesce(round(shares.share::numeric, 1), 0)::float8 END AS "routedShare",
      coalesce(shares.at, (SELECT max(observed_at) FROM routed)) AS "routedAt",
      CASE WHEN b.deleted_at IS NOT NULL THEN 'deleting' ELSE coalesce(s.phase, 'pending') END AS phase, coalesce(s.message, '') AS message
    FROM balancer b JOIN cluster c ON c.id = b.cluster_id LEFT JOIN load_balancer_status s ON s.load_balancer_id = b.id
    LEFT JOIN shares ON shares.id = b.id ORDER BY b.address_of_id IS NOT NULL, c.name`;
}
