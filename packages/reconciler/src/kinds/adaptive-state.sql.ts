import { Prisma, type Tx } from "@fairlead/db";
import type { AdaptiveBalancer, AdaptivePeer } from "@fairlead/domain/load-balancer";

export type PlacedAdaptive = { balancer: AdaptiveBalancer; agentIds: string[] };

type Row = Omit<AdaptiveBalancer, "backends"> & { agentIds: string[] };
type BackendRow = AdaptiveBalancer["backends"][number] & { loadBalancerId: string };

/**
 * selectAdaptiveBalancers returns the balancers of one exposure, or those placed on any of these agents, whose connections are
 * distributed by cost. Balancers without an address are left out, and deleted ones (or those of a deleted exposure) once their
 * backends have drained and are gone. The node of a backend without an agent is its name.
 */
export async function selectAdaptiveBalancers(
  tx: Tx,
  of: { exposureId: string } | { agentIds: readonly string[] },
): Promise<PlacedAdaptive[]> {
  const which =
    "exposureId" in of
      ? Prisma.sql`e.id = ${of.exposureId}`
      : Prisma.sql`l.id IN (SELECT load_balancer_id FROM replica WHERE agent_id = ANY(${[...of.agentIds]}::text[]) AND role = 'adaptive')`;
  const rows = await tx.$queryRaw<Row[]>`
    SELECT l.id, e.id AS "exposureId", host(v.address) AS address, e.ports, e.health_check AS "healthCheck",
      coalesce((e.parameters ->> 'endsConnections')::boolean, false) AS "endsConnections",
      ARRAY(SELECT r.agent_id FROM replica r WHERE r.load_balancer_id = l.id AND r.role = 'adaptive' AND r.agent_id IS NOT NULL ORDER BY 1) AS "agentIds"
    FROM load_balancer l JOIN exposure_in_effect_view e ON e.id = l.exposure_id JOIN virtual_address v ON v.load_balancer_id = l.id
    WHERE e.strategy = 'adaptive' AND ${which}
      AND (coalesce(l.deleted_at, e.deleted_at) IS NULL OR EXISTS (SELECT 1 FROM backend b WHERE b.load_balancer_id = l.id)) ORDER BY l.id`;
  if (rows.length === 0) return [];
  const backends = await tx.$queryRaw<BackendRow[]>`
    SELECT b.load_balancer_id AS "loadBalancerId", b.id, b.protocol, host(b.address) AS address, b.port, b.weight, b.state,
      coalesce(n.id, nullif(b.node_name, ''), 'unknown') AS "nodeId"
    FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id LEFT JOIN node n ON n.cluster_id = l.cluster_id AND n.name = b.node_name
    WHERE b.load_balancer_id = ANY(${rows.map((each) => each.id)}::text[]) ORDER BY b.id`;
  const behind = Map.groupBy(backends, (each) => each.loadBalancerId);
  return rows.map(({ agentIds, ...row }) => ({
    agentIds,
    balancer: {
      ...row,
      backends: (behind.get(row.id) ?? []).map(({ loadBalancerId: _, ...backend }) => backend),
    },
  }));
}

export type AdaptiveAgent = { agentId: string; nodeId: string; meshAddress: string };

/** selectAdaptiveAgents returns the agent of the role adaptive of each node of a cluster that has one: of several, the newest. */
export async function selectAdaptiveAgents(tx: Tx, clusterId: string): Promise<AdaptiveAgent[]> {
  return tx.$queryRaw<AdaptiveAgent[]>`
    SELECT DISTINCT ON (a.node_id) a.id AS "agentId", a.node_id AS "nodeId", coalesce(s.mesh_address, '') AS "meshAddress"
    FROM agent a JOIN node n ON n.id = a.node_id LEFT JOIN adaptive_status s ON s.agent_id = a.id
    WHERE n.cluster_id = ${clusterId} AND a.revoked_at IS NULL AND 'adaptive' = ANY(a.roles)
    ORDER BY a.node_id, a.enrolled_at DESC, a.id DESC`;
}

export function toPeers(agents: readonly AdaptiveAgent[]): Omit<AdaptivePeer, "prefixes">[] {
  return agents.map(({ meshAddress, ...agent }) => ({ ...agent, address: meshAddress }));
}
