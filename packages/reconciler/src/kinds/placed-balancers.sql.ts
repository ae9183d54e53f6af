import { Prisma, type Tx } from "@fairlead/db";
import type { ClusterKind } from "@fairlead/domain/cluster";
import {
  costEngine,
  type Delivery,
  deliveryOf,
  type Engine,
  type SessionStrategy,
  sessionEngine,
  sessionTakenForMs,
  storedSessionDefaults,
} from "@fairlead/domain/exposure";
import {
  type PlacedLoadBalancer,
  replicaWeight,
  type SealedSessionKeys,
  sessionProtocol,
} from "@fairlead/domain/load-balancer";
import { shareIn } from "@fairlead/services";
import { selectOtherClusters, withOthers } from "./other-clusters.sql.ts";
import { selectSessionKeys, selectTaking } from "./session-state.sql.ts";
import { type HeldTicketKeys, ofServices, selectTicketKeys } from "./ticket-keys.sql.ts";

type Row = Omit<PlacedLoadBalancer, "backends" | "engine" | "delivery" | "byCost" | "session"> & {
  agentIds: string[];
  byCost: boolean;
  engine: Engine | null;
  delivery: Delivery | null;
  kind: ClusterKind;
  clusterId: string;
  /** In percent; null if the exposure spans no other clusters. */
  share: number | null;
  /** The parameters of the strategy session; null for another one. */
  session: Partial<SessionStrategy> | null;
  /** A backend takes connections by TLS session, or one did a short time ago: see sessionTakenForMs. */
  isTaken: boolean;
  /** No backend that takes them has an agent of an earlier version next to it, which doesn't unwrap packets. */
  unwraps: boolean;
};
type BackendRow = Omit<PlacedLoadBalancer["backends"][number], "returns"> & {
  loadBalancerId: string;
  returns: true | null;
};

/** sharingIds: the agents that share its connections, with those of other clusters. */
export type PlacedBalancer = { balancer: PlacedLoadBalancer; agentIds: string[]; sharingIds: string[] };

/**
 * selectPlacedBalancers returns the balancers of one exposure, or those placed on any of these agents, each with all
 * that an agent needs to carry it. Balancers without an address are left out, and deleted ones (or those of a deleted
 * exposure) once their backends have drained and are gone.
 */
export async function selectPlacedBalancers(
  tx: Tx,
  of: { exposureId: string } | { agentIds: readonly string[] },
): Promise<PlacedBalancer[]> {
  const which =
    "exposureId" in of
      ? Prisma.sql`e.id = ${of.exposureId}`
      : Prisma.sql`l.id IN (SELECT load_balancer_id FROM replica WHERE agent_id = ANY(${[...of.agentIds]}::text[]) AND role = 'balancer')`;
  const rows = await tx.$queryRaw<Row[]>`
    /* planned once */
    SELECT l.id, e.id AS "exposureId", host(v.address) AS address, e.ports, e.parameters ->> 'engine' AS engine,
      coalesce(e.parameters ->> 'delivery', e.parameters -> 'outside' ->> 'delivery') AS delivery, e.strategy = 'adaptive' AS "byCost", e.parameters ->> 'scheduler' AS scheduler,
      (e.parameters ->> 'proxyProtocol')::boolean AS "proxyProtocol",
      (e.parameters ->> 'sampleClients')::boolean AS "sampleClients", e.health_check AS "healthCheck",
      CASE WHEN e.parameters ->> 'addressing' = 'shared-sni' THEN e.parameters ->> 'dnsZone' END AS zone,
      c.kind, c.id AS "clusterId", ${shareIn(Prisma.sql`l.cluster_id`)} AS share, CASE WHEN e.strategy = 'session' THEN e.parameters END AS session,
      e.strategy = 'session' AND EXISTS (
        SELECT 1 FROM backend b JOIN backend_server_status h ON h.backend_id = b.id WHERE b.load_balancer_id = l.id AND h.ready
          AND NOT EXISTS (SELECT 1 FROM source_check k WHERE k.backend_id = b.id)
        UNION ALL SELECT 1 FROM exposure_session s WHERE s.exposure_id = e.id AND s.taken_at > clock_timestamp() - ${sessionTakenForMs} * interval '1 millisecond'
      ) AS "isTaken",
      NOT EXISTS (
        SELECT 1 FROM backend b JOIN backend_server_status h ON h.backend_id = b.id AND h.ready JOIN agent a ON a.id = h.agent_id
        WHERE e.strategy = 'session' AND b.load_balancer_id = l.id AND a.protocol_version < ${sessionProtocol}
      ) AS unwraps,
      coalesce(l.deleted_at, e.deleted_at) IS NOT NULL AS leaving,
      ARRAY(SELECT r.agent_id FROM replica r WHERE r.load_balancer_id = l.id AND r.role = 'balancer' AND r.agent_id IS NOT NULL ORDER BY 1) AS "agentIds"
    FROM load_balancer l JOIN exposure_in_effect_view e ON e.id = l.exposure_id JOIN virtual_address v ON v.load_balancer_id = coalesce(l.address_of_id, l.id)
      JOIN cluster c ON c.id = l.cluster_id
    WHERE ${which}
      AND (coalesce(l.deleted_at, e.deleted_at) IS NULL OR EXISTS (SELECT 1 FROM backend b WHERE b.load_balancer_id = l.id)) ORDER BY l.id`;
  if (rows.length === 0) return [];
  const backends = await tx.$queryRaw<BackendRow[]>`
    SELECT load_balancer_id AS "loadBalancerId", id, instance, protocol, host(address) AS address, port, weight, state, nullif(returns, false) AS returns FROM backend
    WHERE load_balancer_id = ANY(${rows.map((each) => each.id)}::text[]) ORDER BY id`;
  const behind = Map.groupBy(backends, (each) => each.loadBalancerId);
  const bySession = rows.filter((each) => each.session !== null);
  const keys = await selectSessionKeys(tx, [...new Set(bySession.map((each) => each.clusterId))]);
  const taking = await selectTaking(
    tx,
    bySession.map((each) => each.id),
  );
  const tickets = await selectTicketKeys(
    tx,
    bySession.map((each) => each.exposureId),
  );
  const others = await selectOtherClusters(
    tx,
    rows.map((each) => each.id),
  );
  return rows.map(({ agentIds, clusterId, share, ...row }) => {
    const balancer: PlacedLoadBalancer = {
      ...toBalancer(row, keys.get(clusterId), tickets.get(row.exposureId)),
      weight: share === null ? undefined : replicaWeight(share, agentIds.length),
      backends: (behind.get(row.id) ?? []).map(({ loadBalancerId: _, returns, ...backend }) => {
        const session = taking.get(backend.id);
        return { ...backend, ...(session ? { session } : {}), ...(returns ? { returns } : {}) };
      }),
    };
    return { agentIds, ...withOthers(balancer, agentIds, others.get(row.id)) };
  });
}

/** toBalancer makes a row what an agent needs, except for its backends. */
function toBalancer(
  row: Omit<Row, "agentIds" | "clusterId" | "share">,
  keys: SealedSessionKeys | undefined,
  tickets: HeldTicketKeys | undefined,
) {
  const { delivery, scheduler, proxyProtocol, sampleClients, byCost, zone, kind, session, isTaken, unwraps, ...rest } =
    row;
  const engine = session ? sessionEngine : byCost ? costEngine : row.engine;
  const requested = { engine: engine ?? undefined, delivery: delivery ?? undefined, isNamed: Boolean(zone) };
  return {
    ...rest,
    engine: engine ?? undefined,
    delivery: deliveryOf(
      { ...requested, bySession: session ? { isTaken, unwraps, mayProxy: mayProxy(session) } : undefined },
      kind,
    ),
    zone: zone ?? undefined,
    scheduler: scheduler ?? undefined,
    proxyProtocol: proxyProtocol ?? undefined,
    sampleClients: sampleClients ?? undefined,
    byCost: byCost ? (true as const) : undefined,
    session: session && keys ? toSession(session, keys, tickets) : undefined,
  };
}

function toSession(
  stored: Partial<SessionStrategy>,
  sealedKeys: SealedSessionKeys,
  tickets: HeldTicketKeys | undefined,
) {
  const { names, ids, ticketHours, fallbacks, serverNames = [] } = { ...storedSessionDefaults, ...stored };
  const managed = tickets ? { ticketKeys: ofServices(tickets) } : {};
  return { sealedKeys, names, ids, serverNames, ticketSeconds: ticketHours * 3_600, fallbacks, ...managed };
}

function mayProxy(stored: Partial<SessionStrategy>): boolean {
  return (stored.fallbacks ?? storedSessionDefaults.fallbacks).includes("proxy");
}
