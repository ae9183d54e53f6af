import { invalid } from "@fairlead/domain";
import { isAddress, isPrefix, isSix } from "@fairlead/domain/address";
import { mostWeight, type ReportedInstance } from "@fairlead/domain/instance";
import { type Backend, backendHealths } from "@fairlead/domain/load-balancer";
import { isPossible } from "@fairlead/domain/series";
import { storable, storableTime } from "../storable.ts";
import { checkSession, type ReportedSession, type WireSession } from "./session-report.ts";

/** BalancerReport is the report of an agent with the role balancer. */
export type BalancerReport = {
  engine: string;
  engineReason: string;
  refused: { engine: string; reason: string }[];
  address: string;
  flowAddress: string;
  services: ReportedService[];
};

export type ReportedService = {
  loadBalancerId: string;
  address: string;
  ready: boolean;
  message: string;
  backends: ReportedBackend[];
  /** null: not requested. */
  clients: ReportedClients | null;
  /** null: it doesn't place connections by TLS session. */
  session: ReportedSession | null;
};

/** The client networks of a service that send the most, the largest first. */
export type ReportedClients = {
  problem: string;
  seconds: number;
  oneIn: number;
  networks: { prefix: string; throughputBps: number; packetsPerSecond: number }[];
  otherBps: number;
};

export type ReportedBackend = {
  id: string;
  health: Backend["health"];
  message: string;
  since: Date | null;
  liveConnections: number;
};

/** ReportedEvent is an event, in the agent's words. */
export type ReportedEvent = {
  at: Date;
  reason: string;
  message: string;
  warning: boolean;
  /** Its subject; empty for the agent itself. */
  loadBalancerId: string;
};

/** As received: it may contain unknown words. */
export type WireBalancer = Omit<BalancerReport, "services"> & {
  services: (Omit<ReportedService, "backends" | "session"> & {
    backends: (Omit<ReportedBackend, "health"> & { health: string })[];
    session: WireSession | null;
  })[];
};

const most = {
  services: 10_000,
  backends: 50_000,
  refused: 20,
  id: 64,
  events: 1_001,
  labels: 32,
  name: 253,
  networks: 20,
} as const;
/** Of one sample. */
export const mostNetworks = 20;
const eventsPastMs = 24 * 3_600_000;

/**
 * checkBalancer makes a balancer's report fit its columns. Text is shortened; only a report that is too large is
 * refused.
 */
export function checkBalancer(balancer: WireBalancer | null, now: Date): BalancerReport | null {
  if (!balancer) return null;
  const { services } = balancer;
  if (services.length > most.services)
    throw invalid(["balancer"], `A balancer may carry ${most.services} services, this one reports ${services.length}.`);
  const backends = services.reduce(
    (sum, { backends, session }) => sum + Math.max(backends.length, session?.backends.length ?? 0),
    0,
  );
  if (backends > most.backends)
    throw invalid(["balancer"], `A balancer may report ${most.backends} backends, this one reports ${backends}.`);
  return {
    engine: word(balancer.engine),
    engineReason: storable(balancer.engineReason),
    refused: balancer.refused
      .slice(0, most.refused)
      .map(({ engine, reason }) => ({ engine: word(engine), reason: storable(reason) })),
    address: word(balancer.address),
    flowAddress: word(balancer.flowAddress),
    services: services.map((each) => ({
      loadBalancerId: word(each.loadBalancerId),
      address: word(each.address),
      ready: each.ready,
      message: storable(each.message),
      backends: each.backends.map(({ id, health, message, since, liveConnections }) => ({
        id: word(id),
        health: backendHealths.find((known) => known === health) ?? "unknown",
        message: storable(message),
        since: storableTime(since),
        liveConnections: Math.min(Math.max(0, Math.floor(liveConnections)), Number.MAX_SAFE_INTEGER),
      })),
      clients: each.clients && checkClients(each.clients),
      session: each.session && checkSession(each.session, now),
    })),
  };
}

function checkClients({ problem, seconds, oneIn, networks, otherBps }: ReportedClients): ReportedClients {
  return {
    problem: storable(problem),
    seconds: countWithin(seconds),
    oneIn: countWithin(oneIn),
    networks: networks
      .filter(
        (each) =>
          isPrefix(each.prefix) &&
          isPossible("throughputBps", each.throughputBps) &&
          isPossible("packetsPerSecond", each.packetsPerSecond),
      )
      .slice(0, mostNetworks),
    otherBps: isPossible("throughputBps", otherBps) ? otherBps : 0,
  };
}

const countWithin = (value: number): number => Math.min(Math.max(0, Math.floor(value)), 2 ** 31 - 1);

/** checkEvents leaves out invalid events, and lets none be later than its report. */
export function checkEvents(events: readonly ReportedEvent[], now: Date): ReportedEvent[] {
  return events
    .slice(0, most.events)
    .filter((each) => /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(each.reason))
    .map((each) => ({
      at: each.at.getTime() >= now.getTime() - eventsPastMs && each.at < now ? each.at : now,
      reason: each.reason,
      message: storable(each.message),
      warning: each.warning,
      loadBalancerId: word(each.loadBalancerId),
    }));
}

/**
 * checkInventory leaves out invalid instances with a warning: one bad entry must not discard the others. Of two with
 * the same name the last counts.
 */
export function checkInventory(
  instances: readonly ReportedInstance[] | null,
  mostInstances: number,
): { instances: ReportedInstance[] | null; warnings: string[] } {
  if (!instances) return { instances: null, warnings: [] };
  if (instances.length > mostInstances)
    throw invalid(
      ["inventory"],
      `An inventory may hold ${mostInstances} instances, this one holds ${instances.length}.`,
    );
  const checked = new Map<string, ReportedInstance>();
  const problems: string[] = [];
  for (const instance of instances) {
    const problem = problemOf(instance);
    if (problem) problems.push(`The instance ${JSON.stringify(word(instance.name))} is left out: ${problem}.`);
    else checked.set(instance.name, instance);
  }
  const [first] = problems;
  const more = problems.length > 1 ? ` So are ${problems.length - 1} more.` : "";
  return { instances: [...checked.values()], warnings: first ? [first + more] : [] };
}

function problemOf({ name, workload, nodeName, addresses, labels, weight }: ReportedInstance): string | null {
  const texts = [name, workload, nodeName, ...Object.entries(labels).flat()];
  if (texts.some((text) => text.length > most.name || text.includes("\0")))
    return `a name or label may have ${most.name} characters, none of them null`;
  if (name === "") return "it has no name";
  if (addresses.length === 0) return "it has no address";
  const wrong = addresses.find((each) => !isAddress(each));
  if (wrong !== undefined) return `its address ${JSON.stringify(word(wrong))} is not valid`;
  if (addresses.filter(isSix).length > 1 || addresses.filter((each) => !isSix(each)).length > 1)
    return "it may have one address of each family";
  if (!(weight >= 1 && weight <= mostWeight)) return `its weight ${weight} is not from 1 to ${mostWeight}`;
  if (Object.keys(labels).length > most.labels) return `it has more than ${most.labels} labels`;
  return null;
}

function word(text: string): string {
  return storable(text).slice(0, most.id);
}
