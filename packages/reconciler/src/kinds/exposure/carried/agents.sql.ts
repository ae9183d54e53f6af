import type { Tx } from "@fairlead/db";
import { anyEngine, type BalancerAgent, type DesiredExposure } from "@fairlead/domain";

/** isSilent says that the agent misses reports; silentForMs is how much of that counts against it. */
export type PresentAgent = BalancerAgent & { isSilent: boolean };

/** selectBalancerAgents are those of a cluster that may carry replicas, with what they carry of other exposures. */
export async function selectBalancerAgents(
  tx: Tx,
  { id, cluster }: DesiredExposure,
  presentForMs: number,
): Promise<PresentAgent[]> {
  const agents = await tx.$queryRaw<PresentAgent[]>`
    SELECT a.id, a.node_id AS "nodeId", v.state = 'silent' AS "isSilent", v."reportIntervalMs",
      (extract(epoch FROM clock_timestamp() - s.last_report_at) * 1000)::float8 AS "silentForMs",
      coalesce(other.count, 0) AS "replicaCount", coalesce(other.engines, '{}') AS engines
    FROM agent a JOIN node n ON n.id = a.node_id JOIN agent_view v ON v.id = a.id
    LEFT JOIN node_status s ON s.agent_id = a.id
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS count,
        array_agg(DISTINCT e.parameters ->> 'engine') FILTER (WHERE coalesce(e.parameters ->> 'engine', ${anyEngine}) <> ${anyEngine}) AS engines
      FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id JOIN exposure e ON e.id = l.exposure_id
      WHERE r.agent_id = a.id AND e.id <> ${id} AND e.deleted_at IS NULL
    ) other ON true
    WHERE n.cluster_id = ${cluster.id} AND a.revoked_at IS NULL AND 'balancer' = ANY(a.roles)
    ORDER BY a.id`;
  return agents.map(({ silentForMs, ...agent }) => ({
    ...agent,
    silentForMs: silentForMs === null ? null : Math.min(silentForMs, presentForMs),
  }));
}

/** moveReplicas writes where replicas are to be. What was said of one in its former place is no word on the new one. */
export async function moveReplicas(
  tx: Tx,
  moved: readonly { id: string; agentId: string | null; nodeId: string | null }[],
): Promise<void> {
  if (moved.length === 0) return;
  const ids = moved.map((each) => each.id);
  await tx.$executeRaw`
    UPDATE replica SET agent_id = placed.agent_id, node_id = placed.node_id
    FROM unnest(${ids}::text[], ${moved.map((each) => each.agentId)}::text[], ${moved.map((each) => each.nodeId)}::text[])
      AS placed (id, agent_id, node_id)
    WHERE replica.id = placed.id`;
  await tx.replicaStatus.deleteMany({ where: { replicaId: { in: ids } } });
  await tx.backendStatus.deleteMany({ where: { replicaId: { in: ids } } });
}
