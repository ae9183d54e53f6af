import type { Tx } from "@fairlead/db";
import type { ReplicaRole } from "@fairlead/domain/load-balancer";
import type { BalancerReport, ReportedBackend } from "./balancer-report.ts";

/** StoredBalancer is what is known of a balancer agent: its last report, and what is placed on it. */
export type StoredBalancer = {
  agentId: string;
  lastReport: {
    engine: string;
    engineReason: string;
    address: string;
    flowAddress: string;
    loadBalancerIds: string[];
  } | null;
  replicas: StoredReplica[];
};

export type StoredReplica = {
  id: string;
  loadBalancerId: string;
  exposureId: string;
  status: { ready: boolean; message: string } | null;
  backends: Map<string, { health: string; message: string }>;
  /** null: it places no connections by TLS session, or has not reported that yet. */
  session: { problem: string; fallback: string; address: string; ticketRevision: number } | null;
};

/** loadBalancers returns what is known of agents in one of their roles. */
export async function loadBalancers(
  tx: Tx,
  agentIds: readonly string[],
  role: ReplicaRole,
): Promise<Map<string, StoredBalancer>> {
  const ids = [...agentIds];
  const statuses = await tx.balancerStatus.findMany({ where: { agentId: { in: ids } } });
  const replicas = await tx.$queryRaw<ReplicaRow[]>`
    SELECT r.id, r.agent_id AS "agentId", r.load_balancer_id AS "loadBalancerId", l.exposure_id AS "exposureId", s.ready, s.message,
      session.problem, session.fallback, session.address, session.ticket_revision AS "ticketRevision"
    FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id LEFT JOIN replica_status s ON s.replica_id = r.id
    LEFT JOIN replica_session session ON session.replica_id = r.id
    WHERE r.agent_id = ANY(${ids}::text[]) AND r.role = ${role}`;
  const backends = await tx.$queryRaw<BackendRow[]>`
    SELECT s.backend_id AS "backendId", s.replica_id AS "replicaId", s.health, s.message
    FROM replica r JOIN backend_status s ON s.replica_id = r.id WHERE r.agent_id = ANY(${ids}::text[])`;
  const lastReports = new Map(statuses.map((each) => [each.agentId, each]));
  const placed = Map.groupBy(replicas, (each) => each.agentId);
  const behind = Map.groupBy(backends, (each) => each.replicaId);
  const toReplica = ({
    ready,
    message,
    problem,
    fallback,
    address,
    ticketRevision,
    agentId: _,
    ...replica
  }: ReplicaRow): StoredReplica => ({
    ...replica,
    session:
      problem === null
        ? null
        : { problem, fallback: fallback ?? "", address: address ?? "", ticketRevision: ticketRevision ?? 0 },
    status: ready === null ? null : { ready, message: message ?? "" },
    backends: new Map((behind.get(replica.id) ?? []).map((each) => [each.backendId, each])),
  });
  return new Map(
    ids.map((agentId) => [
      agentId,
      { agentId, lastReport: lastReports.get(agentId) ?? null, replicas: (placed.get(agentId) ?? []).map(toReplica) },
    ]),
  );
}

type BackendRow = { backendId: string; replicaId: string; health: string; message: string };
type ReplicaRow = {
  id: string;
  agentId: string;
  loadBalancerId: string;
  exposureId: string;
  ready: boolean | null;
  message: string | null;
  problem: string | null;
  fallback: string | null;
  address: string | null;
  ticketRevision: number | null;
};

export async function writeBalancers(
  tx: Tx,
  written: readonly { agentId: string; balancer: BalancerReport }[],
  now: Date,
): Promise<void> {
  if (written.length === 0) return;
  const sorted = [...written].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
  const of = <T>(pick: (balancer: BalancerReport) => T) => sorted.map(({ balancer }) => pick(balancer));
  const distinct = (texts: string[]) => JSON.stringify([...new Set(texts)].sort());
  await tx.$executeRaw`
    INSERT INTO balancer_status (agent_id, observed_at, engine, engine_reason, refused, address, flow_address, load_balancer_ids, addresses)
    SELECT agent_id, ${now}::timestamptz, engine, engine_reason, refused, address, flow_address,
      ARRAY(SELECT jsonb_array_elements_text(ids)), ARRAY(SELECT jsonb_array_elements_text(addresses))
    FROM unnest(
      ${sorted.map((each) => each.agentId)}::text[], ${of((b) => b.engine)}::text[], ${of((b) => b.engineReason)}::text[],
      ${of((b) => JSON.stringify(b.refused))}::jsonb[], ${of((b) => b.address)}::text[], ${of((b) => b.flowAddress)}::text[],
      ${of((b) => distinct(b.services.map((each) => each.loadBalancerId)))}::jsonb[],
      ${of((b) => distinct(b.services.map((each) => each.address)))}::jsonb[])
      AS reported (agent_id, engine, engine_reason, refused, address, flow_address, ids, addresses)
    ON CONFLICT (agent_id) DO UPDATE SET observed_at = excluded.observed_at, engine = excluded.engine,
      engine_reason = excluded.engine_reason, refused = excluded.refused, address = excluded.address,
      flow_address = excluded.flow_address, load_balancer_ids = excluded.load_balancer_ids, addresses = excluded.addresses`;
}

export type ReplicaWrite = { id: string; nodeId: string; ready: boolean; message: string };

/** writeReplicas stores the status of replicas that are still placed. */
export async function writeReplicas(tx: Tx, written: readonly ReplicaWrite[], now: Date): Promise<void> {
  if (written.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO replica_status AS kept (replica_id, node_id, ready, message, observed_at)
    SELECT r.id, reported.node_id, reported.ready, reported.message, ${now}::timestamptz FROM unnest(
      ${written.map((each) => each.id)}::text[], ${written.map((each) => each.nodeId)}::text[],
      ${written.map((each) => each.ready)}::boolean[], ${written.map((each) => each.message)}::text[])
      AS reported (id, node_id, ready, message)
    JOIN replica r ON r.id = reported.id ORDER BY r.id
    ON CONFLICT (replica_id) DO UPDATE SET node_id = excluded.node_id, ready = excluded.ready, message = excluded.message,
      observed_at = excluded.observed_at`;
}

export type BackendWrite = ReportedBackend & { replicaId: string };

/** writeBackends stores what replicas report about the backends of their own balancer, where that is new. */
export async function writeBackends(tx: Tx, written: readonly BackendWrite[], now: Date): Promise<void> {
  if (written.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO backend_status AS kept (backend_id, replica_id, health, message, since, live_connections, observed_at)
    SELECT b.id, r.id, reported.health, reported.message, reported.since, reported.live, ${now}::timestamptz FROM unnest(
      ${written.map((each) => each.id)}::text[], ${written.map((each) => each.replicaId)}::text[],
      ${written.map((each) => each.health)}::text[], ${written.map((each) => each.message)}::text[],
      ${written.map((each) => each.since)}::timestamptz[], ${written.map((each) => each.liveConnections)}::bigint[])
      AS reported (backend_id, replica_id, health, message, since, live)
    JOIN backend b ON b.id = reported.backend_id
    JOIN replica r ON r.id = reported.replica_id AND r.load_balancer_id = b.load_balancer_id
    ORDER BY b.id, r.id
    ON CONFLICT (backend_id, replica_id) DO UPDATE SET health = excluded.health, message = excluded.message,
      since = excluded.since, live_connections = excluded.live_connections, observed_at = excluded.observed_at
    WHERE (kept.health, kept.message, kept.since, kept.live_connections)
      IS DISTINCT FROM (excluded.health, excluded.message, excluded.since, excluded.live_connections)`;
}
