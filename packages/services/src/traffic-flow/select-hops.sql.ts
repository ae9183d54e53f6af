import { Prisma, type Tx } from "@fairlead/db";
import type { RouterHop } from "@fairlead/domain/traffic-flow";

/** Per picture. */
const mostHops = 5_000;

/** selectHops returns the routers of clusters that announce one of these load balancers. */
export function selectHops(tx: Tx, loadBalancerIds: readonly string[]): Promise<RouterHop[]> {
  return select(tx, Prisma.sql`offer.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])`);
}

/** selectFleetHops returns the routers of all clusters that announce any. */
export function selectFleetHops(tx: Tx, organizationId: string): Promise<RouterHop[]> {
  return select(tx, Prisma.sql`offer.organization_id = ${organizationId}`);
}

/**
 * Each router with the nodes to which its kernel sends an announced prefix. A cluster with other routers, by its spec or
 * without any of ours, has an unnamed one too, which gets what is announced.
 */
function select(tx: Tx, where: Prisma.Sql): Promise<RouterHop[]> {
  return tx.$queryRaw<RouterHop[]>`
    WITH offered AS MATERIALIZED (
      SELECT DISTINCT offer.cluster_id, offer.prefix, offer.next_hop, offer.state, speaker.node_id FROM announcement offer
        JOIN agent speaker ON speaker.id = offer.agent_id AND speaker.revoked_at IS NULL
      WHERE ${where}
    ), router AS MATERIALIZED (
      SELECT v.id AS agent_id, n.id AS node_id, n.name, n.cluster_id, v.state IN ('silent', 'never-seen') AS silent
      FROM node n JOIN agent_view v ON v."nodeId" = n.id
      WHERE n.cluster_id IN (SELECT cluster_id FROM offered) AND 'router' = ANY(v.roles) AND v.state <> 'revoked'
    ), hop AS MATERIALIZED (
      SELECT DISTINCT router.agent_id, own.node_id FROM router JOIN offered own ON own.cluster_id = router.cluster_id
        JOIN route r ON r.agent_id = router.agent_id AND r.prefix = own.prefix
        CROSS JOIN LATERAL jsonb_array_elements(r.next_hops) each
      WHERE (each ->> 'address')::inet = own.next_hop
    )
    SELECT DISTINCT router.node_id AS "routerId", router.name AS "routerName", router.silent AS "isSilent", hop.node_id AS "nodeId"
    FROM router LEFT JOIN hop ON hop.agent_id = router.agent_id
    UNION ALL
    SELECT DISTINCT NULL, '', false, own.node_id FROM offered own JOIN cluster c ON c.id = own.cluster_id
    WHERE own.state = 'offered' AND greatest(jsonb_array_length(coalesce(c.routing -> 'routers', '[]'::jsonb)), 1)
      > (SELECT count(*) FROM router WHERE router.cluster_id = c.id)
    ORDER BY 2, 1, 4 LIMIT ${mostHops}`;
}
