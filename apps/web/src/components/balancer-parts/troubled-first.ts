import type { Backend, Replica } from "@fairlead/domain";

const byHealth: Record<Backend["health"], number> = { down: 0, unknown: 1, up: 2 };
const byState: Record<Backend["state"], number> = { draining: 0, filling: 1, inactive: 2, active: 3 };

/** troubledFirst puts what needs a look at the top, and keeps the order of addresses otherwise. */
export function troubledFirst<Row extends Pick<Backend, "health" | "state">>(backends: readonly Row[]): Row[] {
  return backends.toSorted((a, b) => byHealth[a.health] - byHealth[b.health] || byState[a.state] - byState[b.state]);
}

/** unreadyFirst puts the replicas that take no traffic at the top, and keeps their order otherwise. */
export function unreadyFirst<Row extends Pick<Replica, "ready">>(replicas: readonly Row[]): Row[] {
  return replicas.toSorted((a, b) => Number(a.ready) - Number(b.ready));
}
