import type { Tx } from "@fairlead/db";
import {
  costEngine,
  type DesiredExposure,
  deliveryOf,
  type EngineSpec,
  enginesFor,
  type RequestedDelivery,
  sessionEngine,
} from "@fairlead/domain/exposure";
import type { BalancerAgent } from "@fairlead/domain/load-balancer";

/**
 * isSilent means that the agent misses reports; silentForMs is how much of that counts against it. hasCosts: its node has an agent
 * of the role adaptive.
 */
export type PresentAgent = BalancerAgent & { isSilent: boolean; hasCosts: boolean };

type Row = Omit<PresentAgent, "others"> & {
  others: { name: string; spec: Nullable<EngineSpec & RequestedDelivery> }[];
};
type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * lockPlacing serialises placing within a cluster: two at once that found the same agent free could need different
 * engines of it.
 */
export async function lockPlacing(tx: Tx, clusterId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`fairlead.placing.${clusterId}`}, 0))`;
}

/**
 * selectBalancerAgents returns the agents of a cluster that may carry replicas, with what they carry of other
 * exposures.
 */
export async function selectBalancerAgents(
  tx: Tx,
  { id, cluster }: DesiredExposure,
  presentForMs: number,
): Promise<PresentAgent[]> {
  const agents = await tx.$queryRaw<Row[]>`
    /* planned once */
    SELECT v.id, n.id AS "nodeId", n.name AS "nodeName", v.state = 'silent' AS "isSilent", v."reportIntervalMs",
      (extract(epoch FROM clock_timestamp() - v."lastReportAt") * 1000)::float8 AS "silentForMs",
      coalesce(b.engine, '') AS engine, coalesce(other.count, 0) AS "replicaCount", coalesce(other.others, '[]') AS others,
      EXISTS (SELECT 1 FROM agent d WHERE d.node_id = n.id AND d.revoked_at IS NULL AND 'adaptive' = ANY(d.roles)) AS "hasCosts"
    FROM agent_view v JOIN node n ON n.id = v."nodeId" LEFT JOIN balancer_status b ON b.agent_id = v.id
    LEFT JOIN LATERAL (
      SELECT sum(count)::int AS count, jsonb_agg(jsonb_build_object('name', name, 'spec', spec) ORDER BY name) AS others FROM (
        SELECT min(e.name) AS name, count(*) AS count, jsonb_build_object('engine', CASE e.strategy WHEN 'session' THEN to_jsonb(${sessionEngine}::text) WHEN 'adaptive' THEN to_jsonb(${costEngine}::text) ELSE e.parameters -> 'engine' END,
          'delivery', coalesce(e.parameters -> 'delivery', e.parameters -> 'outside' -> 'delivery'), 'isNamed', coalesce(e.parameters ->> 'addressing' = 'shared-sni', false), 'movesPort', EXISTS (
            SELECT 1 FROM jsonb_array_elements(e.ports) AS p WHERE p ->> 'targetPort' <> p ->> 'port')) AS spec
        FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id JOIN exposure_in_effect_view e ON e.id = l.exposure_id
        WHERE r.agent_id = v.id AND r.role = 'balancer' AND e.id <> ${id}
          AND (e.deleted_at IS NULL OR EXISTS (SELECT 1 FROM backend b WHERE b.load_balancer_id = l.id)) GROUP BY spec
      ) alike
    ) other ON true
    WHERE n.cluster_id = ${cluster.id} AND v."revokedAt" IS NULL AND 'balancer' = ANY(v.roles)
    ORDER BY v.id`;
  return agents.map(({ silentForMs, others, ...agent }) => ({
    ...agent,
    silentForMs: silentForMs === null ? null : Math.min(silentForMs, presentForMs),
    others: others.map(({ name, spec: { engine, delivery, isNamed, movesPort } }) => ({
      name,
      engines: enginesFor({
        engine: engine ?? undefined,
        delivery: deliveryOf(
          { engine: engine ?? undefined, delivery: delivery ?? undefined, isNamed: isNamed === true },
          cluster.kind,
        ),
        movesPort: movesPort === true,
      }),
    })),
  }));
}

/** moveReplicas writes where replicas are to be. Reports about a replica's former place don't apply to the new one. */
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
  await tx.replicaSession.deleteMany({ where: { replicaId: { in: ids } } });
  await tx.backendSession.deleteMany({ where: { replicaId: { in: ids } } });
}
