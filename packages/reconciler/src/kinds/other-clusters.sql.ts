import type { Tx } from "@fairlead/db";
import { crossesClusters } from "@fairlead/domain/exposure";
import {
  type BalancerPeer,
  fitsService,
  flowsSharedForMs,
  type PlacedLoadBalancer,
} from "@fairlead/domain/load-balancer";

/** What a load balancer shares with those of the same exposure in other clusters. */
export type OtherClusters = { agentIds: string[]; backends: PlacedLoadBalancer["backends"] };

/**
 * selectOtherClusters returns the replicas and backends in other clusters, by load balancer, while connections may move
 * between them: while a move runs or a cluster that was left out drains, and for a while after shares have changed. At
 * rest it returns none, because each new connection would wait for the other clusters.
 */
export async function selectOtherClusters(
  tx: Tx,
  loadBalancerIds: string[],
): Promise<ReadonlyMap<string, OtherClusters>> {
  const pairs = await tx.$queryRaw<{ id: string; otherId: string; agentIds: string[] }[]>`
    SELECT l.id, o.id AS "otherId",
      ARRAY(SELECT r.agent_id FROM replica r WHERE r.load_balancer_id = o.id AND r.role = 'balancer' AND r.agent_id IS NOT NULL ORDER BY 1) AS "agentIds"
    FROM load_balancer l JOIN exposure e ON e.id = l.exposure_id AND e.deleted_at IS NULL
      JOIN load_balancer o ON o.exposure_id = e.id AND o.cluster_id <> l.cluster_id AND o.instance IS NULL
    WHERE l.id = ANY(${loadBalancerIds}::text[]) AND l.instance IS NULL
      AND (o.deleted_at IS NULL OR EXISTS (SELECT 1 FROM backend b WHERE b.load_balancer_id = o.id))
      AND (e.shares_changed_at > clock_timestamp() - ${flowsSharedForMs} * interval '1 millisecond'
        OR EXISTS (SELECT 1 FROM move m WHERE m.exposure_id = e.id AND m.ended_at IS NULL)
        OR EXISTS (SELECT 1 FROM load_balancer g JOIN backend b ON b.load_balancer_id = g.id
          WHERE g.exposure_id = e.id AND g.instance IS NULL AND g.deleted_at IS NOT NULL))
    ORDER BY l.id, o.id`;
  if (pairs.length === 0) return new Map();
  const rows = await tx.$queryRaw<(PlacedLoadBalancer["backends"][number] & { loadBalancerId: string })[]>`
    SELECT load_balancer_id AS "loadBalancerId", id, instance, protocol, host(address) AS address, port, weight FROM backend
    WHERE load_balancer_id = ANY(${pairs.map((each) => each.otherId)}::text[]) AND state <> 'inactive' ORDER BY id`;
  const behind = Map.groupBy(rows, (each) => each.loadBalancerId);
  const found = new Map<string, OtherClusters>();
  for (const { id, otherId, agentIds } of pairs) {
    const one = found.get(id) ?? { agentIds: [], backends: [] };
    one.agentIds.push(...agentIds);
    for (const { loadBalancerId: _, ...backend } of behind.get(otherId) ?? [])
      one.backends.push({ ...backend, state: "draining", elsewhere: true });
    found.set(id, one);
  }
  return found;
}

/** withOthers adds what a load balancer shares with other clusters, if packets reach their backends. */
export function withOthers(
  balancer: PlacedLoadBalancer,
  agentIds: string[],
  others: OtherClusters | undefined,
): { balancer: PlacedLoadBalancer; sharingIds: string[] } {
  if (!others || !crossesClusters(balancer.delivery)) return { balancer, sharingIds: agentIds };
  const backends = [...balancer.backends, ...others.backends];
  // Agents reject a service with more.
  if (!fitsService(backends)) return { balancer, sharingIds: agentIds };
  return { balancer: { ...balancer, backends }, sharingIds: [...agentIds, ...others.agentIds] };
}

/** selectFlowAddresses returns where these agents receive flows of their peers. */
export async function selectFlowAddresses(tx: Tx, agentIds: readonly string[]): Promise<BalancerPeer[]> {
  if (agentIds.length === 0) return [];
  return tx.$queryRaw<BalancerPeer[]>`
    SELECT s.agent_id AS "agentId", s.flow_address AS address FROM balancer_status s JOIN agent a ON a.id = s.agent_id
    WHERE s.agent_id = ANY(${[...agentIds]}::text[]) AND s.flow_address <> '' AND a.revoked_at IS NULL`;
}
