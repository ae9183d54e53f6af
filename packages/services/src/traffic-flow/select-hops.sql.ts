import { Prisma, type Tx } from "@fairlead/db";
import type { RouterHop } from "@fairlead/domain/traffic-flow";

/** Per picture. */
const mostHops = 5_000;

/**
 * selectHops returns the routers of clusters that announce one of these load balancers, each with the nodes to which its
 * kernel sends them.
 */
export function selectHops(tx: Tx, loadBalancerIds: readonly string[]): Promise<RouterHop[]> {
  const offered = Prisma.sql`
    SELECT DISTINCT offer.cluster_id, offer.prefix, offer.next_hop, offer.state, speaker.node_id FROM announcement offer
      JOIN agent speaker ON speaker.id = offer.agent_id AND speaker.revoked_at IS NULL
    WHERE offer.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])`;
  return select(
    tx,
    offered,
    Prisma.sql`
      SELECT own.node_id FROM offered own JOIN route r ON r.agent_id = router.agent_id AND r.prefix = own.prefix
        CROSS JOIN LATERAL jsonb_array_elements(r.next_hops) each
      WHERE own.cluster_id = router.cluster_id AND (each ->> 'address')::inet = own.next_hop`,
  );
}

/** selectFleetHops returns the routers of all clusters that announce anything. */
export function selectFleetHops(tx: Tx, organizationId: string): Promise<RouterHop[]> {
  // By next hop: a node announces many prefixes with the same one.
  const offered = Prisma.sql`
    SELECT DISTINCT offer.cluster_id, offer.next_hop, offer.state, speaker.node_id FROM announcement offer
      JOIN agent speaker ON speaker.id = offer.agent_id AND speaker.revoked_at IS NULL
    WHERE offer.organization_id = ${organizationId}`;
  return select(
    tx,
    offered,
    Prisma.sql`
      SELECT own.node_id FROM (
        SELECT DISTINCT (each ->> 'address')::inet AS address FROM route r CROSS JOIN LATERAL jsonb_array_elements(r.next_hops) each
        WHERE r.agent_id = router.agent_id
      ) hop JOIN offered own ON own.cluster_id = router.cluster_id AND own.next_hop = hop.address`,
  );
}

/** A cluster without our routers has one unnamed router, which gets what is announced. */
function select(tx: Tx, offered: Prisma.Sql, hopsOfRouter: Prisma.Sql): Promise<RouterHop[]> {
  return tx.$queryRaw<RouterHop[]>`
    WITH offered AS MATERIALIZED (${offered}), router AS MATERIALIZED (
      SELECT v.id AS agent_id, n.id AS node_id, n.name, n.cluster_id, v.state IN ('silent', 'never-seen') AS silent
      FROM node n JOIN agent_view v ON v."nodeId" = n.id
      WHERE n.cluster_id IN (SELECT cluster_id FROM offered) AND 'router' = ANY(v.roles) AND v.state <> 'revoked'
    )
    SELECT DISTINCT router.node_id AS "routerId", router.name AS "routerName", router.silent AS "isSilent", hop.node_id AS "nodeId"
    FROM router LEFT JOIN LATERAL (${hopsOfRouter}) hop ON true
    UNION ALL
    SELECT DISTINCT NULL, '', false, own.node_id FROM offered own
    WHERE own.state = 'offered' AND NOT EXISTS (SELECT 1 FROM router WHERE router.cluster_id = own.cluster_id)
    ORDER BY 2, 1, 4 LIMIT ${mostHops}`;
}
