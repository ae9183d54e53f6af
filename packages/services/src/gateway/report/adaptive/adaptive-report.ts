import { invalid } from "@fairlead/domain";
import { type Protocol, protocol } from "@fairlead/domain/exposure";
import { backendHealths } from "@fairlead/domain/load-balancer";
import type { BalancerReport, ReportedBackend } from "../balancer/balancer-report.ts";
import { checkReachableAddress } from "../reachable-address.ts";
import { storable, storableTime } from "../storable.ts";

/** AdaptiveReport is the report of an agent with the role adaptive. */
export type AdaptiveReport = {
  /** Why it distributes no connections; empty if it does. */
  problem: string;
  meshAddress: string;
  cores: number;
  throttledRatio: number;
  services: ReportedAdaptiveService[];
  peers: AdaptivePeerReport[];
  decisions: ReportedDecision[];
};

export type AdaptivePeerReport = { nodeId: string; isExchanging: boolean; roundTripMs: number | null };

export type ReportedAdaptiveService = {
  loadBalancerId: string;
  address: string;
  port: number;
  protocol: Protocol;
  ready: boolean;
  message: string;
  refused: number;
  /** Connections that the node sent to instances, also from outside, since its last report; null from an agent that doesn't know it yet. */
  connectionsPerSecond: number | null;
  /** Requests that arrived at its instances, since its last report; null from an agent that doesn't know it yet. */
  requestsPerSecond: number | null;
  /** How long a request took one core of the node, in the mean since its last report; null if none was completed. */
  serviceMs: number | null;
  /** In which instances may use the cores of the node, if a quota limits them. */
  cpuPeriodMs: number | null;
  nodes: ReportedRoute[];
  backends: Omit<ReportedBackend, "liveConnections">[];
};

/** ReportedRoute is a node as the destination of connections. Figures of a node that is chosen by weight are null. */
export type ReportedRoute = {
  nodeId: string;
  open: number;
  chosen: number;
  /** Of chosen and open, those from outside. */
  entered: number;
  enteredOpen: number;
  failures: number;
  share: number;
  /** Backends there that may get new connections, without those on standby. */
  backends: number;
  inFlight: number | null;
  requestsPerSecond: number | null;
  serviceMs: number | null;
  cores: number | null;
  costMs: number | null;
  byWeight: boolean;
};

export type ReportedDecision = {
  at: Date;
  loadBalancerId: string;
  backendId: string;
  nodeId: string;
  byWeight: boolean;
  /** costMs is null if figures were too old. */
  candidates: { nodeId: string; beside: number; costMs: number | null }[];
};

/** As received: it may contain unknown words. */
export type WireAdaptive = Omit<AdaptiveReport, "services"> & {
  services: (Omit<ReportedAdaptiveService, "protocol" | "backends"> & {
    protocol: string;
    backends: (Omit<ReportedAdaptiveService["backends"][number], "health"> & { health: string })[];
  })[];
};

/** Agents of the current version report 16,000 routes at most; former ones had no limit. */
const most = { services: 4_095, routes: 50_000, peers: 1_000, decisions: 1_000, candidates: 16, id: 253 } as const;

/** checkAdaptive makes the report of an agent fit its columns. Only a report that is too large is refused. */
export function checkAdaptive(report: WireAdaptive | null, now: Date): AdaptiveReport | null {
  if (!report) return null;
  const { services } = report;
  const routes = services.reduce((sum, each) => sum + each.nodes.length + each.backends.length, 0);
  if (services.length > most.services || routes > most.routes)
    throw invalid(
      ["adaptive"],
      `An agent may report ${most.services} services with ${most.routes} nodes and backends, this one reports ${services.length} with ${routes}. Update the agent, which then leaves out nodes without connections. If it still reports too many, distribute the exposures with the strategy adaptive over several clusters.`,
    );
  return {
    problem: storable(report.problem),
    meshAddress: checkReachableAddress(report.meshAddress),
    cores: figure(report.cores),
    throttledRatio: ratio(report.throttledRatio),
    services: services.flatMap(checkService),
    peers: report.peers.slice(0, most.peers).map(({ nodeId, isExchanging, roundTripMs }) => ({
      ...{ nodeId: id(nodeId), isExchanging, roundTripMs: orNull(roundTripMs) },
    })),
    decisions: report.decisions.slice(-most.decisions).map((each) => checkDecision(each, now)),
  };
}

function checkService(service: WireAdaptive["services"][number]): ReportedAdaptiveService[] {
  const known = protocol.safeParse(service.protocol);
  if (!known.success) return [];
  return [
    {
      loadBalancerId: id(service.loadBalancerId),
      address: id(service.address),
      port: count(service.port),
      protocol: known.data,
      ready: service.ready,
      message: storable(service.message),
      refused: count(service.refused),
      connectionsPerSecond: orNull(service.connectionsPerSecond),
      requestsPerSecond: orNull(service.requestsPerSecond),
      serviceMs: orNull(service.serviceMs),
      cpuPeriodMs: orNull(service.cpuPeriodMs),
      nodes: service.nodes.map(checkRoute),
      backends: service.backends.map(({ id: backendId, health, message, since }) => ({
        id: id(backendId),
        health: backendHealths.find((each) => each === health) ?? "unknown",
        message: storable(message),
        since: storableTime(since),
      })),
    },
  ];
}

function checkRoute(route: ReportedRoute): ReportedRoute {
  const { nodeId, open, chosen, entered, enteredOpen, failures, share, byWeight, backends } = route;
  const { inFlight, requestsPerSecond, serviceMs, cores, costMs } = route;
  return {
    ...{ nodeId: id(nodeId), byWeight, share: ratio(share), backends: count(backends) },
    ...{ open: count(open), chosen: count(chosen), failures: count(failures) },
    ...{ entered: count(entered), enteredOpen: count(enteredOpen) },
    ...{ inFlight: orNull(inFlight), requestsPerSecond: orNull(requestsPerSecond), serviceMs: orNull(serviceMs) },
    ...{ cores: orNull(cores), costMs: orNull(costMs) },
  };
}

/** The clock of an agent may be ahead. */
function checkDecision({ at, candidates, ...decision }: ReportedDecision, now: Date): ReportedDecision {
  const valid = storableTime(at);
  return {
    at: valid && valid < now ? valid : now,
    loadBalancerId: id(decision.loadBalancerId),
    backendId: id(decision.backendId),
    nodeId: id(decision.nodeId),
    byWeight: decision.byWeight,
    candidates: candidates
      .slice(0, most.candidates)
      .map(({ nodeId, beside, costMs }) => ({ nodeId: id(nodeId), beside: figure(beside), costMs: orNull(costMs) }))
      .sort((a, b) => (a.costMs ?? Infinity) - (b.costMs ?? Infinity)),
  };
}

const id = (text: string): string => storable(text).slice(0, most.id);
const figure = (value: number): number => (Number.isFinite(value) ? Math.max(0, value) : 0);
const ratio = (value: number): number => Math.min(1, figure(value));
const count = (value: number): number => Math.min(Math.floor(figure(value)), Number.MAX_SAFE_INTEGER);
const orNull = (value: number | null): number | null => (value === null ? null : figure(value));

/** asBalancer is such a report as that of a balancer without an engine, because its agent carries replicas as a balancer does. */
export function asBalancer({ problem, services }: AdaptiveReport): BalancerReport {
  return {
    ...{ engine: "", engineReason: problem, refused: [], address: "", flowAddress: "" },
    services: services.map(({ loadBalancerId, address, ready, message, backends }) => ({
      ...{ loadBalancerId, address, clients: null, session: null },
      ready: ready && problem === "",
      message: problem || message,
      backends: backends.map((each) => ({ ...each, liveConnections: 0 })),
    })),
  };
}
