import { Prisma, type Tx } from "@fairlead/db";
import { formatEndpoint } from "@fairlead/domain/address";
import { storedSessionDefaults } from "@fairlead/domain/exposure";
import {
  type BackendServerConfig,
  replicaPort,
  type SealedSessionKeys,
  type SessionBackendConfig,
  sessionKeyWaitsMs,
} from "@fairlead/domain/load-balancer";
import { checkReachableAddress } from "@fairlead/services/gateway";

/**
 * selectSessionKeys returns the current keys of clusters, and the others that are accepted, still sealed: those before, or
 * new ones that agents must have before any uses them.
 */
export async function selectSessionKeys(
  tx: Tx,
  clusterIds: readonly string[],
): Promise<Map<string, SealedSessionKeys>> {
  if (clusterIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ clusterId: string; sealed: string[] }[]>`
    SELECT cluster_id AS "clusterId", (array_agg(sealed ORDER BY
      created_at > clock_timestamp() - ${sessionKeyWaitsMs} * interval '1 millisecond', epoch DESC))[1:2] AS sealed FROM session_key
    WHERE cluster_id = ANY(${[...clusterIds]}::text[]) GROUP BY cluster_id`;
  return new Map(
    rows.flatMap(({ clusterId, sealed: [current, previous] }) =>
      current === undefined ? [] : [[clusterId, { current, ...(previous === undefined ? {} : { previous }) }]],
    ),
  );
}

/**
 * selectTaking returns which of these balancers' backends take connections by TLS session: the agent of their node reported
 * that last, and isn't silent, and the cloud doesn't drop their replies. An instance that has moved has a backend at each
 * address. Only the last one has the names of its ticket keys: a name leads to one backend of a service.
 */
export async function selectTaking(
  tx: Tx,
  loadBalancerIds: readonly string[],
): Promise<Map<string, SessionBackendConfig>> {
  if (loadBalancerIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<
    (Omit<SessionBackendConfig, "ticketServer"> & { id: string; ticketServer: string | null })[]
  >`
    SELECT b.id, n.number, h.companion, CASE WHEN t.exposure_id IS NOT NULL AND row_number() OVER (
      PARTITION BY b.load_balancer_id, b.instance, b.protocol, b.port ORDER BY b.state = 'draining', b.state_since DESC NULLS LAST, b.id DESC
    ) = 1 THEN b.instance END AS "ticketServer"
    FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id LEFT JOIN ticket_rotation t ON t.exposure_id = l.exposure_id
    JOIN session_number n ON n.exposure_id = l.exposure_id AND n.instance = b.instance
    JOIN backend_server_status h ON h.backend_id = b.id AND h.ready AND h.companion <> ''
    JOIN agent a ON a.id = h.agent_id AND a.revoked_at IS NULL
    JOIN node_status s ON s.agent_id = a.id AND s.silent_since IS NULL
    WHERE b.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])
      AND NOT EXISTS (SELECT 1 FROM source_check c WHERE c.backend_id = b.id)`;
  return new Map(
    rows.map(({ id, number, companion, ticketServer }) => [
      id,
      { number, companion, ...(ticketServer === null ? {} : { ticketServer }) },
    ]),
  );
}

/** A server, and the node of its instance. */
export type PlacedServer = Omit<BackendServerConfig, "sealedKeys" | "replicas" | "ticketKeys"> & { nodeId: string };

/**
 * selectServers returns the servers of one exposure, or of one node, whose connections are placed by TLS session. A server
 * whose instance is gone, or has another address, has no network namespace any more.
 */
export async function selectServers(tx: Tx, of: { exposureId: string } | { nodeId: string }): Promise<PlacedServer[]> {
  const which = "exposureId" in of ? Prisma.sql`e.id = ${of.exposureId}` : Prisma.sql`o.id = ${of.nodeId}`;
  return tx.$queryRaw<PlacedServer[]>`
    SELECT b.id AS "backendId", l.id AS "loadBalancerId", e.id AS "exposureId", b.instance, host(b.address) AS "ownAddress",
      host(v.address) AS address, b.port, n.number, o.id AS "nodeId",
      3600 * coalesce((e.parameters ->> 'ticketHours')::int, ${storedSessionDefaults.ticketHours}::int) AS "ticketSeconds"
    FROM exposure_in_effect_view e JOIN load_balancer l ON l.exposure_id = e.id JOIN virtual_address v ON v.load_balancer_id = l.id
    JOIN backend b ON b.load_balancer_id = l.id JOIN session_number n ON n.exposure_id = e.id AND n.instance = b.instance
    JOIN instance i ON i.cluster_id = e.cluster_id AND i.name = b.instance AND b.address = ANY(i.addresses)
    JOIN node o ON o.cluster_id = e.cluster_id AND o.name = i.node_name
    WHERE e.strategy = 'session' AND b.protocol = 'tcp' AND ${which} ORDER BY b.id`;
}

/**
 * selectSessionAddresses returns where the replicas of these balancers receive messages, by balancer. Backends unwrap
 * tunnelled packets of these addresses alone, so they need that of a replica before its first packet: it reports where it
 * receives messages only when it has a config by which it sends such packets, but always the address of its host.
 */
export async function selectSessionAddresses(
  tx: Tx,
  loadBalancerIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (loadBalancerIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ loadBalancerId: string; reported: string; host: string }[]>`
    SELECT r.load_balancer_id AS "loadBalancerId", coalesce(s.address, '') AS reported, coalesce(b.address, '') AS host
    FROM replica r JOIN agent a ON a.id = r.agent_id AND a.revoked_at IS NULL
    LEFT JOIN replica_session s ON s.replica_id = r.id LEFT JOIN balancer_status b ON b.agent_id = a.id
    WHERE r.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])`;
  const addresses = new Map<string, Set<string>>();
  for (const { loadBalancerId, reported, host } of rows) {
    const address = reported || checkReachableAddress(formatEndpoint(host, replicaPort));
    if (address === "") continue;
    addresses.set(loadBalancerId, (addresses.get(loadBalancerId) ?? new Set()).add(address));
  }
  return new Map([...addresses].map(([id, each]) => [id, [...each].sort()]));
}

/** selectBackendNodes returns which of these nodes have an agent of the role backend. */
export async function selectBackendNodes(tx: Tx, nodeIds: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRaw<{ nodeId: string }[]>`
    SELECT DISTINCT node_id AS "nodeId" FROM agent
    WHERE node_id = ANY(${[...nodeIds]}::text[]) AND revoked_at IS NULL AND 'backend' = ANY(roles)`;
  return rows.map((each) => each.nodeId);
}
