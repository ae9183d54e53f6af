import type { Tx } from "@fairlead/db";
import { clustersOf, type DesiredExposure } from "@fairlead/domain/exposure";
import { isAlive } from "@fairlead/domain/load-balancer";

export type Carrier = { agentId: string; nodeName: string; addresses: string[]; loadBalancerIds: string[] };

/**
 * selectCarriers returns the agents that may still carry one of these balancers: their config has it, they report it,
 * or they are placed for it and have not reported yet what they run. An agent that is revoked or silent for too long is
 * given up; silence counts only while we were present.
 */
export async function selectCarriers(
  tx: Tx,
  desired: DesiredExposure,
  loadBalancerIds: readonly string[],
  presentForMs: number,
): Promise<Carrier[]> {
  const ids = [...loadBalancerIds];
  const carriers = await tx.$queryRaw<(Carrier & { silentForMs: number; reportIntervalMs: number })[]>`
    SELECT a.id AS "agentId", n.name AS "nodeName", coalesce(b.addresses || d.addresses, '{}') AS addresses, v."reportIntervalMs",
      ARRAY(SELECT DISTINCT id FROM unnest(c.load_balancer_ids || b.load_balancer_ids || d.load_balancer_ids || placed.ids) AS id
        WHERE id = ANY(${ids}::text[])) AS "loadBalancerIds",
      least(extract(epoch FROM clock_timestamp() - s.last_report_at) * 1000, ${presentForMs}::float8)::float8 AS "silentForMs"
    FROM agent a JOIN node n ON n.id = a.node_id JOIN agent_view v ON v.id = a.id JOIN node_status s ON s.agent_id = a.id
    LEFT JOIN node_config c ON c.agent_id = a.id LEFT JOIN balancer_status b ON b.agent_id = a.id
    LEFT JOIN adaptive_status d ON d.agent_id = a.id
    LEFT JOIN LATERAL (
      SELECT array_agg(r.load_balancer_id) AS ids FROM replica r
      WHERE r.agent_id = a.id AND r.load_balancer_id = ANY(${ids}::text[]) AND s.config_error = ''
        AND (c.revision <> s.observed_revision OR s.observed_digest NOT IN ('', c.digest))
    ) placed ON true
    WHERE n.cluster_id = ANY(${clusterIdsOf(desired)}::text[]) AND a.revoked_at IS NULL
      AND (c.load_balancer_ids && ${ids}::text[] OR b.load_balancer_ids && ${ids}::text[] OR d.load_balancer_ids && ${ids}::text[] OR placed.ids IS NOT NULL)
    ORDER BY a.id`;
  return carriers.filter(isAlive);
}

/** isAnyBehind reports whether any of them runs another config than it should by now. */
export async function isAnyBehind(tx: Tx, carriers: readonly Carrier[]): Promise<boolean> {
  const behind = await tx.$queryRaw<object[]>`
    SELECT 1 FROM node_config c JOIN node_status s ON s.agent_id = c.agent_id
    WHERE c.agent_id = ANY(${carriers.map((each) => each.agentId)}::text[])
      AND (c.revision <> s.observed_revision OR s.observed_digest NOT IN ('', c.digest)) LIMIT 1`;
  return behind.length > 0;
}

/**
 * selectCarryingNodes returns the nodes of all agents that should carry an exposure, or still have it in their configs.
 */
export async function selectCarryingNodes(tx: Tx, placed: DesiredExposure): Promise<string[]> {
  const nodeIds = placed.loadBalancers.flatMap((each) => each.replicas.flatMap((replica) => replica.nodeId ?? []));
  return [...new Set([...nodeIds, ...(await selectConfiguredNodes(tx, placed))])];
}

/**
 * selectConfiguredNodes returns the nodes of the agents that have an exposure in their configs. A revoked agent's
 * config is left as it is.
 */
export async function selectConfiguredNodes(tx: Tx, desired: DesiredExposure): Promise<string[]> {
  const { loadBalancers } = desired;
  const ids = loadBalancers.map((each) => each.id);
  const rows = await tx.$queryRaw<{ nodeId: string }[]>`
    SELECT DISTINCT a.node_id AS "nodeId" FROM node_config c JOIN agent a ON a.id = c.agent_id JOIN node n ON n.id = a.node_id
    WHERE n.cluster_id = ANY(${clusterIdsOf(desired)}::text[]) AND a.revoked_at IS NULL AND c.load_balancer_ids && ${ids}::text[]`;
  return rows.map((each) => each.nodeId);
}

function clusterIdsOf(desired: DesiredExposure): string[] {
  return clustersOf(desired).map((each) => each.id);
}
