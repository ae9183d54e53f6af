import type { Tx } from "@fairlead/db";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { StoredReplica } from "../balancer/balancer-status.sql.ts";
import type { AdaptiveReport, ReportedAdaptiveService } from "./adaptive-report.ts";

/** StoredAdaptive is the last report of an agent. */
export type StoredAdaptive = { problem: string; meshAddress: string; loadBalancerIds: string[] };

export async function loadAdaptive(tx: Tx, agentIds: readonly string[]): Promise<Map<string, StoredAdaptive>> {
  const rows = await tx.adaptiveStatus.findMany({
    where: { agentId: { in: [...agentIds] } },
    select: { agentId: true, problem: true, meshAddress: true, loadBalancerIds: true },
  });
  return new Map(rows.map(({ agentId, ...status }) => [agentId, status]));
}

export type AdaptiveWrite = { agent: AgentIdentity; adaptive: AdaptiveReport; replicas: readonly StoredReplica[] };

/** writeAdaptive stores what agents report of themselves, and how each of their replicas distributes connections. */
export async function writeAdaptive(tx: Tx, written: readonly AdaptiveWrite[], now: Date): Promise<void> {
  if (written.length === 0) return;
  const sorted = [...written].sort((a, b) => (a.agent.agentId < b.agent.agentId ? -1 : 1));
  await writeStatuses(tx, sorted, now);
  const replicas = sorted.flatMap(({ adaptive, replicas }) => {
    const services = Map.groupBy(adaptive.services, (each) => each.loadBalancerId);
    return replicas.map(({ id, loadBalancerId }) => ({ id, services: services.get(loadBalancerId) ?? [] }));
  });
  await writeReplicas(tx, replicas, now);
  await writeDecisions(tx, sorted);
}

async function writeStatuses(tx: Tx, written: readonly AdaptiveWrite[], now: Date): Promise<void> {
  const of = <T>(pick: (report: AdaptiveReport) => T) => written.map(({ adaptive }) => pick(adaptive));
  const distinct = (texts: string[]) => JSON.stringify([...new Set(texts)].sort());
  await tx.$executeRaw`
    INSERT INTO adaptive_status (agent_id, problem, mesh_address, cores, throttled_ratio, peers, load_balancer_ids, addresses, observed_at)
    SELECT agent_id, problem, mesh_address, cores, throttled_ratio, peers, ARRAY(SELECT jsonb_array_elements_text(ids)),
      ARRAY(SELECT jsonb_array_elements_text(addresses)), ${now}::timestamptz
    FROM unnest(
      ${written.map(({ agent }) => agent.agentId)}::text[], ${of((each) => each.problem)}::text[], ${of((each) => each.meshAddress)}::text[],
      ${of((each) => each.cores)}::float8[], ${of((each) => each.throttledRatio)}::float8[], ${of((each) => JSON.stringify(each.peers))}::jsonb[],
      ${of(({ services }) => distinct(services.map((each) => each.loadBalancerId)))}::jsonb[],
      ${of(({ services }) => distinct(services.map((each) => each.address)))}::jsonb[])
      AS reported (agent_id, problem, mesh_address, cores, throttled_ratio, peers, ids, addresses)
    ON CONFLICT (agent_id) DO UPDATE SET problem = excluded.problem, mesh_address = excluded.mesh_address, cores = excluded.cores,
      throttled_ratio = excluded.throttled_ratio, peers = excluded.peers, load_balancer_ids = excluded.load_balancer_ids,
      addresses = excluded.addresses, observed_at = excluded.observed_at`;
}

/** toStored is what a replica keeps of its service. */
export function toStored(service: ReportedAdaptiveService) {
  const { port, protocol, refused, connectionsPerSecond, requestsPerSecond, serviceMs, cpuPeriodMs, nodes } = service;
  return { port, protocol, refused, connectionsPerSecond, requestsPerSecond, serviceMs, cpuPeriodMs, nodes };
}

async function writeReplicas(
  tx: Tx,
  written: readonly { id: string; services: readonly ReportedAdaptiveService[] }[],
  now: Date,
): Promise<void> {
  if (written.length === 0) return;
  const services = written.map((each) => JSON.stringify(each.services.map(toStored)));
  await tx.$executeRaw`
    INSERT INTO adaptive_replica (replica_id, services, observed_at)
    SELECT r.id, reported.services, ${now}::timestamptz
    FROM unnest(${written.map((each) => each.id)}::text[], ${services}::jsonb[]) AS reported (id, services)
    JOIN replica r ON r.id = reported.id ORDER BY r.id
    ON CONFLICT (replica_id) DO UPDATE SET services = excluded.services, observed_at = excluded.observed_at`;
}

/** How many a replica keeps. */
export const mostDecisions = 100;

async function writeDecisions(tx: Tx, written: readonly AdaptiveWrite[]): Promise<void> {
  const decisions = written.flatMap(({ adaptive, replicas }) => {
    const of = new Map(replicas.map((each) => [each.loadBalancerId, each.id]));
    return adaptive.decisions.flatMap(({ loadBalancerId, ...decision }) => {
      const replicaId = of.get(loadBalancerId);
      return replicaId === undefined ? [] : [{ replicaId, ...decision }];
    });
  });
  if (decisions.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO adaptive_decision (replica_id, at, backend_id, node_id, by_weight, candidates)
    SELECT r.id, d.at, d.backend_id, d.node_id, d.by_weight, d.candidates FROM unnest(
      ${decisions.map((each) => each.replicaId)}::text[], ${decisions.map((each) => each.at)}::timestamptz[],
      ${decisions.map((each) => each.backendId)}::text[], ${decisions.map((each) => each.nodeId)}::text[],
      ${decisions.map((each) => each.byWeight)}::boolean[], ${decisions.map((each) => JSON.stringify(each.candidates))}::jsonb[])
      AS d (replica_id, at, backend_id, node_id, by_weight, candidates)
    JOIN replica r ON r.id = d.replica_id
    ON CONFLICT DO NOTHING`;
  const ids = [...new Set(decisions.map((each) => each.replicaId))];
  await tx.$executeRaw`
    DELETE FROM adaptive_decision d USING (
      SELECT replica_id, at, backend_id, row_number() OVER (PARTITION BY replica_id ORDER BY at DESC) AS place
      FROM adaptive_decision WHERE replica_id = ANY(${ids}::text[])
    ) ranked
    WHERE ranked.place > ${mostDecisions} AND (d.replica_id, d.at, d.backend_id) = (ranked.replica_id, ranked.at, ranked.backend_id)`;
}
