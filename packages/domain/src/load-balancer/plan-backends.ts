import type { ExposedPort, Protocol } from "../exposure/exposed-port.ts";
import type { Strategy } from "../exposure/strategy.ts";
import type { Backend } from "./load-balancer.ts";

/**
 * fillMs is how long a new backend counts as without old connections, drainMs how long a removed one keeps its connections.
 * Both exceed the idle timeout of connections: a replica uses these states for connections that it hasn't seen before.
 * returnMs is how long clients of its TLS sessions still return to one before that; absent for 0.
 */
export type BackendTimes = { fillMs: number; drainMs: number; returnMs?: number };
export const backendTimes: BackendTimes = { fillMs: 60_000, drainMs: 60_000 };

/** backendTimesOf is what a spec sets of them. No client returns to an exposure that is being deleted. */
export function backendTimesOf(strategy: Strategy, usual: BackendTimes, isDeleted: boolean): BackendTimes {
  if (strategy.type !== "session") return usual;
  const { drainSeconds, sessionDrainSeconds = 0 } = strategy;
  return {
    ...usual,
    ...(drainSeconds === undefined ? {} : { drainMs: drainSeconds * 1_000 }),
    returnMs: isDeleted ? 0 : sessionDrainSeconds * 1_000,
  };
}

/** The limit of backends of a service. Agents reject more. */
export const mostBackends = 1_000;

/** A desired backend. */
export type WantedBackend = {
  instance: string;
  protocol: Protocol;
  address: string;
  port: number;
  weight: number;
  state: Backend["state"];
  stateSince: Date;
  /** Whether clients of its TLS sessions return while it drains. */
  returns?: boolean;
};

export type BackendsPlan = {
  backends: WantedBackend[];
  /** When the next change of state is due; null if none is. */
  nextAt: Date | null;
  /** Number of instances that exceed the limit with at least one port. */
  leftOut: number;
};

/**
 * planBackends decides the backends of a load balancer: every ready instance at every port, and for a while the former ones.
 * A new backend fills first, unless it is among the first ones: then no older connections exist. One that returns while it
 * drains is active at once, because it still has its connections.
 */
export function planBackends(
  existing: readonly WantedBackend[],
  instances: readonly { name: string; address: string; ready: boolean; weight: number }[],
  ports: readonly Pick<ExposedPort, "port" | "targetPort" | "protocol">[],
  now: Date,
  times: BackendTimes = backendTimes,
): BackendsPlan {
  const wanted = new Map<string, Omit<WantedBackend, "state" | "stateSince">>();
  for (const { name, address, ready, weight } of instances)
    for (const { port, targetPort = port, protocol } of ports) {
      const backend = { instance: name, protocol, address, port: targetPort, weight };
      if (ready) wanted.set(keyOf(backend), backend);
    }
  const isFirst = existing.length === 0;
  const known = new Map(existing.map((each) => [keyOf(each), each]));
  const kept = existing.flatMap((each): WantedBackend[] => {
    const again = wanted.get(keyOf(each));
    if (!again) return leave(each, now, times);
    return [{ ...stay(each, now, times), instance: again.instance, weight: again.weight }];
  });
  const fresh = [...wanted].filter(([key]) => !known.has(key)).map(([, each]) => each);
  fresh.sort((a, b) => (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : a.port - b.port));
  const room = Math.max(0, mostBackends - kept.length);
  const state = isFirst ? ("active" as const) : ("filling" as const);
  const backends = [...kept, ...fresh.slice(0, room).map((each) => ({ ...each, state, stateSince: now }))];
  const leftOut = new Set(fresh.slice(room).map((each) => each.instance)).size;
  return { backends, nextAt: soonest(backends, times), leftOut };
}

function keyOf({ protocol, address, port }: Pick<WantedBackend, "protocol" | "address" | "port">): string {
  return `${protocol} ${address} ${port}`;
}

function stay({ returns: _, ...backend }: WantedBackend, now: Date, times: BackendTimes): WantedBackend {
  if (backend.state === "active") return backend;
  if (backend.state === "filling" && now.getTime() < endOf(backend, times)) return backend;
  return { ...backend, state: "active", stateSince: now };
}

function leave({ returns: _, ...backend }: WantedBackend, now: Date, times: BackendTimes): WantedBackend[] {
  const isNew = backend.state !== "draining";
  const next: WantedBackend = isNew ? { ...backend, state: "draining", stateSince: now } : backend;
  const drainsForMs = now.getTime() - next.stateSince.getTime();
  if (drainsForMs < (times.returnMs ?? 0)) return [{ ...next, returns: true }];
  return isNew || now.getTime() < endOf(next, times) ? [next] : [];
}

/** endOf is when the state ends, or its first part, in which clients return. */
function endOf({ state, stateSince, returns }: WantedBackend, { fillMs, drainMs, returnMs = 0 }: BackendTimes): number {
  if (state === "filling") return stateSince.getTime() + fillMs;
  if (state === "draining") return stateSince.getTime() + returnMs + (returns ? 0 : drainMs);
  return Number.POSITIVE_INFINITY;
}

function soonest(backends: readonly WantedBackend[], times: BackendTimes): Date | null {
  const next = Math.min(...backends.map((each) => endOf(each, times)));
  return Number.isFinite(next) ? new Date(next) : null;
}
