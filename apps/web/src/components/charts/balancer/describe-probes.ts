import { countedByEngine, type Replica } from "@fairlead/domain/load-balancer";
import type { MetricAt } from "@fairlead/domain/series";
import { count } from "../../words/numbers.ts";

/** What the charts of some metrics include of Fairlead's own probes, in words. */
export type ProbeHints = Partial<Record<MetricAt<"balancer">, string>>;

const metrics = {
  packetsPerSecond: "packetsPerSecond",
  newConnectionsPerSecond: "connectionsNewPerSecond",
} as const satisfies Record<keyof NonNullable<Replica["probeTraffic"]>, MetricAt<"balancer">>;

/** describeProbes states the rate per replica. If replicas differ, such as by their engine, it states the highest. */
export function describeProbes(replicas: readonly Pick<Replica, "probeTraffic">[]): ProbeHints {
  const hints: ProbeHints = {};
  for (const figure of ["packetsPerSecond", "newConnectionsPerSecond"] as const) {
    const rates = replicas.map(({ probeTraffic }) => probeTraffic?.[figure] ?? 0);
    const most = Math.max(0, ...rates);
    if (most === 0) continue;
    const isEqual = rates.every((rate) => rate === most);
    hints[metrics[figure]] =
      `includes Fairlead's own probes, ${isEqual ? "" : "up to "}${count(most)} a second per replica`;
  }
  // Their bytes depend on the check and the address family, and are a few kbit/s.
  if (hints.packetsPerSecond) hints.throughputBps = "includes Fairlead's own probes";
  return hints;
}

/** describeNodeProbes states which figures of a node can include probes: whether they do depends on its load balancers. */
export function describeNodeProbes(engines: readonly string[], hasSpeaker: boolean): ProbeHints {
  if (!hasSpeaker) return {};
  const counted = Object.entries(countedByEngine).flatMap(([engine, of]) => (engines.includes(engine) ? [of] : []));
  const text = "can include Fairlead's own probes";
  return {
    ...(counted.some(({ tcp, udp }) => tcp.packets + udp.packets > 0)
      ? { packetsPerSecond: text, throughputBps: text }
      : {}),
    ...(counted.some(({ tcp, udp }) => tcp.connections + udp.connections > 0) ? { connectionsNewPerSecond: text } : {}),
  };
}
