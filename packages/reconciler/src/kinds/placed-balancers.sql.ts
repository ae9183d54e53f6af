import { Prisma, type Tx } from "@fairlead/db";
import type { ClusterKind } from "@fairlead/domain/cluster";
import { type Delivery, deliveryOf, type Engine } from "@fairlead/domain/exposure";
import type { BalancerPeer, PlacedLoadBalancer } from "@fairlead/domain/load-balancer";

type Row = Omit<PlacedLoadBalancer, "backends" | "engine" | "delivery"> & {
  agentIds: string[];
  engine: Engine | null;
  delivery: Delivery | null;
  kind: ClusterKind;
};
type BackendRow = PlacedLoadBalancer["backends"][number] & { loadBalancerId: string };

export type PlacedBalancer = { balancer: PlacedLoadBalancer; agentIds: string[] };

/**
 * selectPlacedBalancers returns the balancers of one exposure, or those placed on any of these agents, each with all
 * that an agent needs to carry it. Balancers without an address are left out, and deleted ones (or those of a deleted
 * exposure) once their backends have drained and are gone.
 */
export async function selectPlacedBalancers(
  tx: Tx,
  of: { exposureId: string } | { agentIds: readonly string[] },
): Promise<PlacedBalancer[]> {
  const which =
    "exposureId" in of
      ? Prisma.sql`e.id = ${of.exposureId}`
      : Prisma.sql`l.id IN (SELECT load_balancer_id FROM replica WHERE agent_id = ANY(${[...of.agentIds]}::text[]))`;
  const rows = await tx.$queryRaw<Row[]>`
    /* planned once */
    SELECT l.id, e.id AS "exposureId", host(v.address) AS address, e.ports, e.parameters ->> 'engine' AS engine,
      e.parameters ->> 'delivery' AS delivery, e.parameters ->> 'scheduler' AS scheduler,
      (e.parameters ->> 'proxyProtocol')::boolean AS "proxyProtocol",
      (e.parameters ->> 'sampleClients')::boolean AS "sampleClients", e.health_check AS "healthCheck",
      CASE WHEN e.parameters ->> 'addressing' = 'shared-sni' THEN e.parameters ->> 'dnsZone' END AS zone,
      c.kind,
      coalesce(l.deleted_at, e.deleted_at) IS NOT NULL AS leaving,
      ARRAY(SELECT r.agent_id FROM replica r WHERE r.load_balancer_id = l.id AND r.agent_id IS NOT NULL ORDER BY 1) AS "agentIds"
    FROM load_balancer l JOIN exposure_in_effect_view e ON e.id = l.exposure_id JOIN virtual_address v ON v.load_balancer_id = l.id
      JOIN cluster c ON c.id = e.cluster_id
    WHERE ${which}
      AND (coalesce(l.deleted_at, e.deleted_at) IS NULL OR EXISTS (SELECT 1 FROM backend b WHERE b.load_balancer_id = l.id)) ORDER BY l.id`;
  if (rows.length === 0) return [];
  const backends = await tx.$queryRaw<BackendRow[]>`
    SELECT load_balancer_id AS "loadBalancerId", id, instance, protocol, host(address) AS address, port, weight, state FROM backend
    WHERE load_balancer_id = ANY(${rows.map((each) => each.id)}::text[]) ORDER BY id`;
  const behind = Map.groupBy(backends, (each) => each.loadBalancerId);
  return rows.map(({ agentIds, engine, delivery, scheduler, proxyProtocol, sampleClients, zone, kind, ...row }) => ({
    agentIds,
    balancer: {
      ...row,
      engine: engine ?? undefined,
      delivery: deliveryOf(
        { engine: engine ?? undefined, delivery: delivery ?? undefined, isNamed: Boolean(zone) },
        kind,
      ),
      zone: zone ?? undefined,
      scheduler: scheduler ?? undefined,
      proxyProtocol: proxyProtocol ?? undefined,
      sampleClients: sampleClients ?? undefined,
      backends: (behind.get(row.id) ?? []).map(({ loadBalancerId: _, ...backend }) => backend),
    },
  }));
}

/** selectFlowAddresses returns where these agents receive flows of their peers. */
export async function selectFlowAddresses(tx: Tx, agentIds: readonly string[]): Promise<BalancerPeer[]> {
  if (agentIds.length === 0) return [];
  return tx.$queryRaw<BalancerPeer[]>`
    SELECT s.agent_id AS "agentId", s.flow_address AS address FROM balancer_status s JOIN agent a ON a.id = s.agent_id
    WHERE s.agent_id = ANY(${[...agentIds]}::text[]) AND s.flow_address <> '' AND a.revoked_at IS NULL`;
}
