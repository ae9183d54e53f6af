import type { Tx } from "@fairlead/db";
import { type DesiredExposure, isAlive } from "@fairlead/domain";

export type Carrier = { agentId: string; nodeId: string; nodeName: string; isConfigured: boolean; addresses: string[] };

/**
 * selectCarriers are the agents that may still carry one of these balancers: they are told to, they say that they do, or
 * they are placed for it and have not shown yet what they run. One that is revoked or silent for too long is given up;
 * it was not silent before we were there to hear it.
 */
export async function selectCarriers(
  tx: Tx,
  clusterId: string,
  loadBalancerIds: readonly string[],
  presentForMs: number,
): Promise<Carrier[]> {
  const ids = [...loadBalancerIds];
  const carriers = await tx.$queryRaw<(Carrier & { silentForMs: number; reportIntervalMs: number })[]>`
    SELECT a.id AS "agentId", n.id AS "nodeId", n.name AS "nodeName", coalesce(c.load_balancer_ids && ${ids}::text[], false) AS "isConfigured",
      coalesce(b.addresses, '{}') AS addresses, v."reportIntervalMs",
      least(extract(epoch FROM clock_timestamp() - s.last_report_at) * 1000, ${presentForMs}::float8)::float8 AS "silentForMs"
    FROM agent a JOIN node n ON n.id = a.node_id JOIN agent_view v ON v.id = a.id JOIN node_status s ON s.agent_id = a.id
    LEFT JOIN node_config c ON c.agent_id = a.id LEFT JOIN balancer_status b ON b.agent_id = a.id
    WHERE n.cluster_id = ${clusterId} AND a.revoked_at IS NULL
      AND (c.load_balancer_ids && ${ids}::text[] OR b.load_balancer_ids && ${ids}::text[] OR (
        (c.revision <> s.observed_revision OR s.observed_digest NOT IN ('', c.digest)) AND s.config_error = ''
        AND EXISTS (SELECT 1 FROM replica r WHERE r.agent_id = a.id AND r.load_balancer_id = ANY(${ids}::text[]))))
    ORDER BY a.id`;
  return carriers.filter(isAlive);
}

/** isAnyBehind says whether any of them runs another config than it should by now. */
export async function isAnyBehind(tx: Tx, carriers: readonly Carrier[]): Promise<boolean> {
  const behind = await tx.$queryRaw<object[]>`
    SELECT 1 FROM node_config c JOIN node_status s ON s.agent_id = c.agent_id
    WHERE c.agent_id = ANY(${carriers.map((each) => each.agentId)}::text[])
      AND (c.revision <> s.observed_revision OR s.observed_digest NOT IN ('', c.digest)) LIMIT 1`;
  return behind.length > 0;
}

/** selectCarryingNodes are the nodes of all agents that should carry something of an exposure, or still have it in their configs. */
export async function selectCarryingNodes(tx: Tx, placed: DesiredExposure): Promise<string[]> {
  const nodeIds = placed.loadBalancers.flatMap((each) => each.replicas.flatMap((replica) => replica.nodeId ?? []));
  const ids = placed.loadBalancers.map((each) => each.id);
  const rows = await tx.$queryRaw<{ nodeId: string }[]>`
    SELECT DISTINCT c.node_id AS "nodeId" FROM node_config c JOIN node n ON n.id = c.node_id
    WHERE n.cluster_id = ${placed.cluster.id} AND c.load_balancer_ids && ${ids}::text[]`;
  return [...new Set([...nodeIds, ...rows.map((each) => each.nodeId)])];
}
