import type { Tx } from "@fairlead/db";

// Which exposures must be reconciled again because an agent reported something or changed its state.

/** selectPlacedOn returns those with a replica on one of these agents, or with a backend next to one. */
export async function selectPlacedOn(tx: Tx, agentIds: readonly string[]): Promise<string[]> {
  if (agentIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT l.exposure_id AS id FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id
      WHERE r.agent_id = ANY(${[...agentIds]}::text[])
      UNION
      SELECT l.exposure_id FROM backend_server_status h JOIN backend b ON b.id = h.backend_id
      JOIN load_balancer l ON l.id = b.load_balancer_id WHERE h.agent_id = ANY(${[...agentIds]}::text[])`,
  );
}

/** selectUnplaced returns those of a cluster that wait for an agent, or for a better one than their silent one. */
export async function selectUnplaced(tx: Tx, clusterIds: readonly string[]): Promise<string[]> {
  if (clusterIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT l.exposure_id AS id FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id
      LEFT JOIN node_status s ON s.agent_id = r.agent_id
      WHERE (r.agent_id IS NULL OR s.silent_since IS NOT NULL) AND l.cluster_id = ANY(${[...clusterIds]}::text[])`,
  );
}

/** selectAdaptive returns those of a cluster that have a replica on each node with an agent of the role adaptive. */
export async function selectAdaptive(tx: Tx, clusterIds: readonly string[]): Promise<string[]> {
  if (clusterIds.length === 0) return [];
  const rows = await tx.exposure.findMany({
    where: { clusterId: { in: [...clusterIds] }, strategy: "adaptive" },
    select: { id: true },
  });
  return idsOf(rows);
}

/** selectAdaptiveNodes returns the nodes of a cluster with an agent of the role adaptive. */
export async function selectAdaptiveNodes(tx: Tx, clusterIds: readonly string[]): Promise<string[]> {
  if (clusterIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT n.id FROM node n JOIN agent a ON a.node_id = n.id AND a.revoked_at IS NULL
      WHERE n.cluster_id = ANY(${[...clusterIds]}::text[]) AND 'adaptive' = ANY(a.roles)`,
  );
}

/**
 * selectLeaving returns those being deleted, or with a balancer that is, that had a replica on one of these agents, or
 * one of these balancers.
 */
export async function selectLeaving(
  tx: Tx,
  agentIds: readonly string[],
  loadBalancerIds: readonly string[],
): Promise<string[]> {
  if (agentIds.length + loadBalancerIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT e.id FROM exposure e JOIN load_balancer l ON l.exposure_id = e.id
      LEFT JOIN replica r ON r.load_balancer_id = l.id
      WHERE coalesce(l.deleted_at, e.deleted_at) IS NOT NULL
        AND (r.agent_id = ANY(${[...agentIds]}::text[]) OR l.id = ANY(${[...loadBalancerIds]}::text[]))`,
  );
}

/** selectPeerNodes returns the nodes of the agents that carry a balancer together with one of these, also in other clusters. */
export async function selectPeerNodes(tx: Tx, agentIds: readonly string[]): Promise<string[]> {
  if (agentIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT other.node_id AS id FROM replica own
      JOIN load_balancer l ON l.id = own.load_balancer_id
      JOIN load_balancer o ON o.exposure_id = l.exposure_id AND o.instance IS NOT DISTINCT FROM l.instance
      JOIN replica other ON other.load_balancer_id = o.id AND other.id <> own.id
      WHERE own.agent_id = ANY(${[...agentIds]}::text[]) AND own.role = 'balancer' AND other.role = 'balancer'
        AND other.agent_id IS NOT NULL AND other.node_id IS NOT NULL`,
  );
}

/** selectServedBeside returns the load balancers with a server next to one of these agents. */
export async function selectServedBeside(tx: Tx, agentIds: readonly string[]): Promise<string[]> {
  if (agentIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT b.load_balancer_id AS id FROM backend_server_status h JOIN backend b ON b.id = h.backend_id
      WHERE h.agent_id = ANY(${[...agentIds]}::text[])`,
  );
}

/** selectCarryingNodes returns the nodes of the agents that carry one of these balancers. */
export async function selectCarryingNodes(tx: Tx, loadBalancerIds: readonly string[]): Promise<string[]> {
  if (loadBalancerIds.length === 0) return [];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT node_id AS id FROM replica
      WHERE load_balancer_id = ANY(${[...new Set(loadBalancerIds)]}::text[]) AND node_id IS NOT NULL`,
  );
}

/** selectConcernedNodes returns the nodes of the agents that carry one of these balancers, or have it in their configs. */
export async function selectConcernedNodes(tx: Tx, loadBalancerIds: readonly string[]): Promise<string[]> {
  if (loadBalancerIds.length === 0) return [];
  const ids = [...new Set(loadBalancerIds)];
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
      SELECT node_id AS id FROM replica WHERE load_balancer_id = ANY(${ids}::text[]) AND node_id IS NOT NULL
      UNION SELECT a.node_id FROM node_config c JOIN agent a ON a.id = c.agent_id AND a.revoked_at IS NULL
      WHERE c.load_balancer_ids && ${ids}::text[]`,
  );
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map((each) => each.id);
}
