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
  if (strategy.type !== "session" && strategy.type !== "adaptive") return usual;
  const { drainSeconds } = strategy;
  const times = { ...usual, ...(drainSeconds === undefined ? {} : { drainMs: drainSeconds * 1_000 }) };
  if (strategy.type === "adaptive") return times;
  return { ...times, returnMs: isDeleted ? 0 : (strategy.sessionDrainSeconds ?? 0) * 1_000 };
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
  /** The node of its instance; absent if unknown. */
  nodeName?: string;
};

/** KnownBackend is one that was decided before. isGone: no instance of its name has its address any more. */
export type KnownBackend = WantedBackend & { isGone?: boolean };

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
 * drains is active at once, because it still has its connections. Ready instances have a place before those that drain, of
 * which the first ones are removed early.
 */
export function planBackends(
  existing: readonly KnownBackend[],
  instances: readonly { name: string; address: string; ready: boolean; weight: number; nodeName?: string }[],
  ports: readonly Pick<ExposedPort, "port" | "targetPort" | "protocol">[],
  now: Date,
  times: BackendTimes = backendTimes,
): BackendsPlan {
  const wanted = new Map<string, Omit<WantedBackend, "state" | "stateSince">>();
  for (const { name, address, ready, weight, nodeName } of instances)
    for (const { port, targetPort = port, protocol } of ports) {
      const where = nodeName === undefined ? {} : { nodeName };
      const backend = { instance: name, protocol, address, port: targetPort, weight, ...where };
      if (ready) wanted.set(keyOf(backend), backend);
    }
  const isFirst = existing.length === 0;
  const known = new Set(existing.map(keyOf));
  const kept = existing.flatMap(({ isGone = false, ...each }): Planned[] => {
    const again = wanted.get(keyOf(each));
    if (!again) return leave(each, now, isGone ? { ...times, returnMs: 0 } : times);
    return [stay({ ...each, ...again }, now, times)];
  });
  const fresh = [...wanted].filter(([key]) => !known.has(key)).map(([, each]) => each);
  fresh.sort((a, b) => (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : a.port - b.port));
  const draining = kept.filter(({ backend }) => backend.state === "draining");
  const room = Math.max(0, mostBackends - (kept.length - draining.length));
  const state = isFirst ? ("active" as const) : ("filling" as const);
  const added = fresh.slice(0, room).map((each) => plannedFrom({ ...each, state, stateSince: now }, times));
  draining.sort((a, b) => b.backend.stateSince.getTime() - a.backend.stateSince.getTime());
  const crowded = new Set(draining.slice(room - added.length));
  const planned = [...kept.filter((each) => !crowded.has(each)), ...added];
  const leftOut = new Set(fresh.slice(room).map((each) => each.instance)).size;
  return { backends: planned.map(({ backend }) => backend), nextAt: soonest(planned), leftOut };
}

/** Planned is a backend, and when its state ends, or its first part, in which clients return. */
type Planned = { backend: WantedBackend; endsAt: number };

function plannedFrom(backend: WantedBackend, times: BackendTimes): Planned {
  return { backend, endsAt: endOf(backend, times) };
}

function keyOf({ protocol, address, port }: Pick<WantedBackend, "protocol" | "address" | "port">): string {
  return `${protocol} ${address} ${port}`;
}

function stay({ returns: _, ...backend }: WantedBackend, now: Date, times: BackendTimes): Planned {
  const isSettled =
    backend.state === "active" || (backend.state === "filling" && now.getTime() < endOf(backend, times));
  return plannedFrom(isSettled ? backend : { ...backend, state: "active", stateSince: now }, times);
}

function leave({ returns: _, ...backend }: WantedBackend, now: Date, times: BackendTimes): Planned[] {
  const isNew = backend.state !== "draining";
  const next: WantedBackend = isNew ? { ...backend, state: "draining", stateSince: now } : backend;
  const drainsForMs = now.getTime() - next.stateSince.getTime();
  if (drainsForMs < (times.returnMs ?? 0)) return [plannedFrom({ ...next, returns: true }, times)];
  return isNew || now.getTime() < endOf(next, times) ? [plannedFrom(next, times)] : [];
}

function endOf({ state, stateSince, returns }: WantedBackend, { fillMs, drainMs, returnMs = 0 }: BackendTimes): number {
  if (state === "filling") return stateSince.getTime() + fillMs;
  if (state === "draining") return stateSince.getTime() + returnMs + (returns ? 0 : drainMs);
  return Number.POSITIVE_INFINITY;
}

function soonest(planned: readonly Planned[]): Date | null {
  const next = Math.min(...planned.map((each) => each.endsAt));
  return Number.isFinite(next) ? new Date(next) : null;
}
