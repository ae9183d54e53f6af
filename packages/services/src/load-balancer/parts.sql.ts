import type { Tx } from "@fairlead/db";
import { type Backend, type Probed, probeTrafficOf, type Replica } from "@fairlead/domain/load-balancer";
import { reportedReplica } from "./reported-replica.sql.ts";

// The parts of balancers. The caller has checked that they belong to its organisation.

type Of = { loadBalancerId: string };

type ReplicaRow = Omit<Replica, "probeTraffic"> & Of & Pick<Probed, "ports" | "healthCheck"> & { isProbed: boolean };

/**
 * A speaker of the same node probes a replica. A connection without a server name is none, so shared-sni counts no probes.
 * Balancers come first: of an exposure with the strategy adaptive, each node has a replica, and all of them may exceed the limit.
 */
export async function selectReplicas(tx: Tx, loadBalancerIds: readonly string[]): Promise<(Replica & Of)[]> {
  const rows = await tx.$queryRaw<ReplicaRow[]>`
    SELECT r.load_balancer_id AS "loadBalancerId", r.id, coalesce(s.node_id, r.node_id) AS "nodeId", n.name AS "nodeName",
      r.agent_id AS "agentId", r.role, ${reportedReplica.ready} AS ready, ${reportedReplica.message} AS message,
      coalesce(b.engine, '') AS engine, coalesce(b.engine_reason, '') AS "engineReason",
      coalesce(b.refused, '[]'::jsonb) AS "refusedEngines", coalesce(b.address, '') AS address,
      coalesce(live.connections, distributed.connections, 0)::float8 AS "liveConnections", greatest(s.observed_at, a.last_report_at) AS "observedAt",
      v."reportIntervalMs", e.ports, e.health_check AS "healthCheck",
      e.parameters->>'addressing' IS DISTINCT FROM 'shared-sni' AND EXISTS (
        SELECT FROM announcement o JOIN agent g ON g.id = o.agent_id JOIN agent_view speaker ON speaker.id = g.id
        WHERE o.load_balancer_id = r.load_balancer_id AND g.node_id = coalesce(s.node_id, r.node_id)
          AND speaker.state IN ('in-sync', 'out-of-sync')
      ) AS "isProbed"
    FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id JOIN exposure_in_effect_view e ON e.id = l.exposure_id LEFT JOIN replica_status s ON s.replica_id = r.id
    LEFT JOIN node n ON n.id = coalesce(s.node_id, r.node_id)
    LEFT JOIN balancer_status b ON b.agent_id = r.agent_id
    LEFT JOIN node_status a ON a.agent_id = r.agent_id AND s.replica_id IS NOT NULL
    LEFT JOIN agent_view v ON v.id = r.agent_id
    LEFT JOIN LATERAL (SELECT sum(live_connections) AS connections FROM backend_status WHERE replica_id = r.id AND r.role = 'balancer') live ON true
    LEFT JOIN LATERAL (
      SELECT sum((node ->> 'open')::float8 - coalesce((node ->> 'enteredOpen')::float8, 0)) AS connections FROM adaptive_replica d,
        jsonb_array_elements(d.services) AS service, jsonb_array_elements(service -> 'nodes') AS node WHERE d.replica_id = r.id
    ) distributed ON true
    WHERE r.load_balancer_id = ANY(${[...loadBalancerIds]}::text[]) ORDER BY r.role = 'adaptive', r.load_balancer_id, r.ordinal LIMIT 2000`;
  return rows.map(({ ports, healthCheck, isProbed, ...row }) => ({
    ...row,
    probeTraffic: isProbed ? probeTrafficOf({ engine: row.engine, ports, healthCheck }) : null,
  }));
}

/**
 * Silent agents don't count, unless no other agent reports. Bounded: a page with more than this many backends is not
 * useful, and the balancer's row has the counts.
 */
export function selectBackends(tx: Tx, loadBalancerIds: readonly string[]): Promise<(Backend & Of)[]> {
  return tx.$queryRaw<(Backend & Of)[]>`
    WITH reporting AS MATERIALIZED (
      SELECT r.id FROM replica r JOIN agent_view v ON v.id = r.agent_id
      WHERE r.load_balancer_id = ANY(${[...loadBalancerIds]}::text[]) AND v.state IN ('in-sync', 'out-of-sync')
    )
    SELECT b.load_balancer_id AS "loadBalancerId", b.id, b.instance, b.protocol, host(b.address) AS address, b.port, b.weight,
      b.state, b.state_since AS "stateSince", b.health, worst.since AS "healthSince", coalesce(worst.message, '') AS message,
      CASE WHEN e.strategy <> 'adaptive' THEN coalesce(live.connections, 0)::float8 END AS "liveConnections", greatest(b.observed_at, live.at) AS "observedAt"
    FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id JOIN exposure_in_effect_view e ON e.id = l.exposure_id
    LEFT JOIN LATERAL (
      SELECT s.since, s.message FROM backend_status s LEFT JOIN reporting ON reporting.id = s.replica_id WHERE s.backend_id = b.id
      ORDER BY reporting.id IS NOT NULL DESC, array_position(ARRAY['down', 'unknown', 'up'], s.health), s.since DESC NULLS LAST LIMIT 1
    ) worst ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(s.live_connections) FILTER (WHERE reporting.id IS NOT NULL), sum(s.live_connections)) AS connections,
        max(a.last_report_at) AS at
      FROM backend_status s JOIN replica r ON r.id = s.replica_id LEFT JOIN reporting ON reporting.id = r.id
      LEFT JOIN node_status a ON a.agent_id = r.agent_id WHERE s.backend_id = b.id
    ) live ON true
    WHERE b.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])
    ORDER BY b.load_balancer_id, b.address, b.port, b.protocol LIMIT 2000`;
}
