import type { Backend } from "@fairlead/domain";

const byHealth: Record<Backend["health"], number> = { down: 0, unknown: 1, up: 2 };
const byState: Record<Backend["state"], number> = { draining: 0, filling: 1, inactive: 2, active: 3 };

/** troubledFirst puts what needs a look at the top, and keeps the order of addresses otherwise. */
export function troubledFirst(backends: Backend[]): Backend[] {
  return backends.toSorted((a, b) => byHealth[a.health] - byHealth[b.health] || byState[a.state] - byState[b.state]);
}
