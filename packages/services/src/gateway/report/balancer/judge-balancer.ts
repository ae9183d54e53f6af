import type { Backend } from "@fairlead/domain/load-balancer";
import type { BalancerReport, ReportedBackend, ReportedService } from "./balancer-report.ts";
import type { BackendWrite, ReplicaWrite, StoredBalancer, StoredReplica } from "./balancer-status.sql.ts";
import type { SampleWrite } from "./client-sample.sql.ts";
import { mergeSamples } from "./merge-samples.ts";
import { joinSessions, type ReportedSession } from "./session-report.ts";
import type { SessionWrite } from "./session-status.sql.ts";

/** BalancerJudgement is what a balancer's report changes: what to write, and what to reconcile. */
export type BalancerJudgement = {
  replicas: ReplicaWrite[];
  backends: BackendWrite[];
  samples: SampleWrite[];
  sessions: SessionWrite[];
  /** Replicas that no longer place connections by TLS session. */
  withoutSession: string[];
  /** Load balancers with a replica that receives messages of companions elsewhere than before. */
  sessionsMoved: string[];
  /** Exposures of replicas that are placed here. */
  exposureIds: string[];
  /** What the agent carried before and no longer carries. */
  letGoOf: string[];
  /** Its peers need its new flow address. */
  flowAddressChanged: boolean;
  addressChanged: boolean;
  /** Something visible about its replicas changed. */
  looksDifferent: boolean;
};

/** judgeBalancer decides what a balancer agent's report means for the replicas that are placed on it. */
export function judgeBalancer(stored: StoredBalancer, balancer: BalancerReport, nodeId: string): BalancerJudgement {
  const services = Map.groupBy(balancer.services, (each) => each.loadBalancerId);
  const replicas: ReplicaWrite[] = [];
  const backends: BackendWrite[] = [];
  const samples: SampleWrite[] = [];
  const sessions: SessionWrite[] = [];
  const withoutSession: string[] = [];
  const sessionsMoved: string[] = [];
  const exposureIds = new Set<string>();
  for (const replica of stored.replicas) {
    const own = services.get(replica.loadBalancerId) ?? [];
    const status = statusOf(own, balancer);
    if (replica.status?.ready !== status.ready || replica.status.message !== status.message) {
      replicas.push({ id: replica.id, nodeId, ...status });
      exposureIds.add(replica.exposureId);
    }
    const seen = joinBackends(own);
    if (seen.some((each) => isNews(replica, each))) exposureIds.add(replica.exposureId);
    backends.push(...seen.map((each) => ({ ...each, replicaId: replica.id })));
    const clients = mergeSamples(own.flatMap((each) => each.clients ?? []));
    const session = joinSessions(own.flatMap((each) => each.session ?? []));
    if (session) sessions.push({ ...session, replicaId: replica.id });
    else if (replica.session) withoutSession.push(replica.id);
    if (replica.session?.address !== session?.address) sessionsMoved.push(replica.loadBalancerId);
    if (isNewPlacing(replica.session, session)) exposureIds.add(replica.exposureId);
    if (clients) samples.push({ ...clients, replicaId: replica.id, agentId: stored.agentId });
  }
  const { lastReport } = stored;
  return {
    replicas,
    backends,
    samples,
    sessions,
    withoutSession,
    sessionsMoved,
    exposureIds: [...exposureIds],
    letGoOf: (lastReport?.loadBalancerIds ?? []).filter((id) => !services.has(id)),
    flowAddressChanged: lastReport?.flowAddress !== balancer.flowAddress,
    addressChanged: lastReport?.address !== balancer.address,
    looksDifferent:
      lastReport?.engine !== balancer.engine ||
      lastReport.engineReason !== balancer.engineReason ||
      lastReport.address !== balancer.address,
  };
}

/** A balancer of several ports is ready when each of them is. */
function statusOf(services: ReportedService[], { engine, engineReason }: BalancerReport) {
  if (services.length === 0) {
    const message = engine === "" && engineReason !== "" ? engineReason : "Its agent doesn't carry it yet.";
    return { ready: false, message };
  }
  const failing = services.find((each) => !each.ready);
  const message = (failing ?? services.find((each) => each.message !== ""))?.message ?? "";
  return { ready: !failing, message };
}

const badness: Record<Backend["health"], number> = { up: 0, unknown: 1, down: 2 };

/** joinBackends merges a backend that is behind several ports: its worst health, all of its connections. */
function joinBackends(services: ReportedService[]): ReportedBackend[] {
  const joined = new Map<string, ReportedBackend>();
  for (const backend of services.flatMap((each) => each.backends)) {
    const other = joined.get(backend.id);
    const worse = other && badness[other.health] >= badness[backend.health] ? other : backend;
    joined.set(backend.id, { ...worse, liveConnections: (other?.liveConnections ?? 0) + backend.liveConnections });
  }
  return [...joined.values()];
}

/** The first report on a backend is no change while its health is unknown. */
function isNews(replica: StoredReplica, { id, health, message }: ReportedBackend): boolean {
  const before = replica.backends.get(id);
  return (before?.health ?? "unknown") !== health || (before?.message ?? "") !== message;
}

/** isNewPlacing reports whether a replica places connections by TLS session in another way than before. */
function isNewPlacing(before: StoredReplica["session"], now: ReportedSession | null): boolean {
  if (before === null || now === null) return before !== now;
  const { problem, fallback, ticketRevision } = before;
  return problem !== now.problem || fallback !== (now.fallback ?? "") || ticketRevision !== now.ticketRevision;
}
