import type { Tx } from "@fairlead/db";
import type { NodeBalancer } from "@fairlead/domain/node";
import { reportedReplica } from "../load-balancer/reported-replica.sql.ts";

const mostReplicas = 100;

/**
 * selectNodeBalancers reads what the agents of a node carry, and with which engine. The caller has checked that the
 * node belongs to its organisation. A revoked agent is left out: nothing is placed on it any more.
 */
export async function selectNodeBalancers(tx: Tx, nodeId: string): Promise<NodeBalancer[]> {
  const balancers = await tx.$queryRaw<Omit<NodeBalancer, "replicas" | "replicaCount">[]>`
    SELECT b.agent_id AS "agentId", b.engine, b.engine_reason AS "engineReason", b.refused AS "refusedEngines", b.address,
      greatest(b.observed_at, v."lastReportAt") AS "observedAt", v."reportIntervalMs"
    FROM balancer_status b JOIN agent_view v ON v.id = b.agent_id
    WHERE v."nodeId" = ${nodeId} AND v."revokedAt" IS NULL ORDER BY b.agent_id LIMIT 20`;
  if (balancers.length === 0) return [];
  const rows = await tx.$queryRaw<ReplicaRow[]>`
    WITH placed AS (
      SELECT r.id, r.agent_id AS "agentId", r.load_balancer_id AS "loadBalancerId", l.name AS "loadBalancerName",
        ${reportedReplica.ready} AS ready, ${reportedReplica.message} AS message,
        count(*) OVER (PARTITION BY r.agent_id)::int AS "replicaCount",
        row_number() OVER (PARTITION BY r.agent_id ORDER BY ${reportedReplica.ready}, l.name, r.id) AS place
      FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id LEFT JOIN replica_status s ON s.replica_id = r.id
        LEFT JOIN agent_view v ON v.id = r.agent_id
      WHERE r.agent_id = ANY(${balancers.map((each) => each.agentId)}::text[]))
    SELECT p.*, coalesce(live.connections, 0)::float8 AS "liveConnections" FROM placed p
    LEFT JOIN LATERAL (SELECT sum(live_connections) AS connections FROM backend_status WHERE replica_id = p.id) live ON true
    WHERE place <= ${mostReplicas} ORDER BY "agentId", place`;
  const byAgent = Map.groupBy(rows, (each) => each.agentId);
  return balancers.map((balancer) => {
    const own = byAgent.get(balancer.agentId) ?? [];
    return { ...balancer, replicas: own.map(toReplica), replicaCount: own[0]?.replicaCount ?? 0 };
  });
}

type Replica = NodeBalancer["replicas"][number];
type ReplicaRow = Replica & { agentId: string; replicaCount: number };

function toReplica({ loadBalancerId, loadBalancerName, ready, message, liveConnections }: ReplicaRow): Replica {
  return { loadBalancerId, loadBalancerName, ready, message, liveConnections };
}
