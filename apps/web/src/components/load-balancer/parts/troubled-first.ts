import type { Backend, Replica } from "@fairlead/domain/load-balancer";

const byHealth: Record<Backend["health"], number> = { down: 0, unknown: 1, up: 2 };
const byState: Record<Backend["state"], number> = { draining: 0, filling: 1, inactive: 2, active: 3 };

/** troubledFirst sorts backends with problems to the top, and keeps the address order otherwise. */
export function troubledFirst<Row extends Pick<Backend, "health" | "state">>(backends: readonly Row[]): Row[] {
  return backends.toSorted((a, b) => byHealth[a.health] - byHealth[b.health] || byState[a.state] - byState[b.state]);
}

/** unreadyFirst sorts replicas without traffic to the top, and keeps their order otherwise. */
export function unreadyFirst<Row extends Pick<Replica, "ready">>(replicas: readonly Row[]): Row[] {
  return replicas.toSorted((a, b) => Number(a.ready) - Number(b.ready));
}
