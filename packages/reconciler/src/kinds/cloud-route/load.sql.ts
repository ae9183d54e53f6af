import type { Tx } from "@fairlead/db";
import type { CloudAddressState, CloudReplica } from "@fairlead/domain/cloud";

export type StoredRoute = {
  organizationId: string;
  clusterName: string;
  settings: unknown;
  credentials: string;
  appliedSettings: unknown;
  appliedCredentials: string;
  deletedAt: Date | null;
};

/** lockCloudRoute locks the settings against changes; null when they are gone. */
export async function lockCloudRoute(tx: Tx, clusterId: string): Promise<StoredRoute | null> {
  const [row] = await tx.$queryRaw<StoredRoute[]>`
    SELECT c.organization_id AS "organizationId", c.name AS "clusterName", r.settings, r.credentials,
      r.applied_settings AS "appliedSettings", r.applied_credentials AS "appliedCredentials", r.deleted_at AS "deletedAt"
    FROM cloud_route r JOIN cluster c ON c.id = r.cluster_id WHERE r.cluster_id = ${clusterId} FOR UPDATE OF r`;
  return row ?? null;
}

export type WantedAddress = { address: string; loadBalancerId: string; isPaused: boolean; replicas: CloudReplica[] };

/**
 * selectWantedAddresses returns the addresses of our own balancers, with their replicas. One of the strategy adaptive that is reached
 * only from nodes with its agents needs no route. A balancer that is being deleted keeps its address until no agent carries it, for
 * its connections. An agent's silence counts only while we
 * were present.
 */
export function selectWantedAddresses(tx: Tx, clusterId: string, presentForMs: number): Promise<WantedAddress[]> {
  return tx.$queryRaw<WantedAddress[]>`
    SELECT host(v.address) AS address, l.id AS "loadBalancerId", e.paused_at IS NOT NULL AS "isPaused",
      coalesce(jsonb_agg(jsonb_build_object(
        'agentId', r.agent_id, 'nodeName', n.name, 'address', coalesce(b.address, ''), 'isReady', coalesce(s.ready, false),
        'message', coalesce(s.message, ''), 'isDraining', n.draining_since IS NOT NULL,
        'silentForMs', least(extract(epoch FROM clock_timestamp() - ns.last_report_at) * 1000, ${presentForMs}::float8),
        'reportIntervalMs', a."reportIntervalMs") ORDER BY r.ordinal) FILTER (WHERE n.id IS NOT NULL), '[]') AS replicas
    FROM load_balancer l JOIN exposure e ON e.id = l.exposure_id JOIN virtual_address v ON v.load_balancer_id = l.id
    LEFT JOIN replica r ON r.load_balancer_id = l.id AND r.role = 'balancer'
    LEFT JOIN replica_status s ON s.replica_id = r.id
    LEFT JOIN agent_view a ON a.id = r.agent_id AND a."revokedAt" IS NULL
    LEFT JOIN node n ON n.id = a."nodeId"
    LEFT JOIN balancer_status b ON b.agent_id = a.id LEFT JOIN node_status ns ON ns.agent_id = a.id
    WHERE l.cluster_id = ${clusterId} AND l.kind = 'fairlead' AND (e.strategy <> 'adaptive' OR e.parameters ? 'outside')
    GROUP BY v.address, l.id, e.paused_at ORDER BY v.address`;
}

export type StoredAddress = {
  id: string;
  address: string;
  loadBalancerId: string;
  agentId: string | null;
  nodeName: string | null;
  toAddress: string;
  fromName: string;
  decidedAt: Date;
  state: CloudAddressState;
  reason: string;
  interfaceId: string;
  since: Date | null;
  observedAt: Date | null;
};

export function selectStoredAddresses(tx: Tx, clusterId: string): Promise<StoredAddress[]> {
  return tx.$queryRaw<StoredAddress[]>`
    SELECT a.id, host(a.address) AS address, a.load_balancer_id AS "loadBalancerId", a.agent_id AS "agentId", n.name AS "nodeName",
      a.to_address AS "toAddress", a.from_name AS "fromName", a.decided_at AS "decidedAt", a.state, a.reason,
      a.interface_id AS "interfaceId", a.since, a.observed_at AS "observedAt"
    FROM cloud_address a LEFT JOIN agent g ON g.id = a.agent_id LEFT JOIN node n ON n.id = g.node_id
    WHERE a.cluster_id = ${clusterId} ORDER BY a.address`;
}
