import { z } from "zod";
import type { PacketEngine } from "../exposure/engines.ts";
import type { ExposedPort, Protocol } from "../exposure/exposed-port.ts";
import { checkOf, type HealthCheck } from "../exposure/health-check.ts";

/** The interval at which a speaker probes a service without a check of its own. */
const usualIntervalMs = 200;

export const probeTraffic = z
  .object({ packetsPerSecond: z.number(), newConnectionsPerSecond: z.number() })
  .meta({ id: "ProbeTraffic" });
export type ProbeTraffic = z.infer<typeof probeTraffic>;

type Counted = { packets: number; connections: number };

/**
 * What an engine counts of one probe, as agents/internal/speaker/inward/inwardtest measured it. A probe by TCP ends before the eBPF
 * engines store the connection.
 */
export const countedByEngine: Record<PacketEngine, Record<Protocol, Counted>> = {
  tcx: { tcp: { packets: 2, connections: 0 }, udp: { packets: 1, connections: 1 } },
  xdp: { tcp: { packets: 2, connections: 0 }, udp: { packets: 1, connections: 1 } },
  nftables: { tcp: { packets: 2, connections: 1 }, udp: { packets: 1, connections: 1 } },
  ipvs: { tcp: { packets: 2, connections: 1 }, udp: { packets: 1, connections: 1 } },
  userspace: { tcp: { packets: 0, connections: 1 }, udp: { packets: 1, connections: 1 } },
};

export type Probed = {
  /** What carries packets on the replica. */
  engine: string;
  ports: readonly Pick<ExposedPort, "protocol">[];
  healthCheck: HealthCheck | null;
};

/**
 * probeTrafficOf calculates what a replica counts of the probes of its speaker, which take the path of a client's packets. null if
 * that isn't known or nothing.
 */
export function probeTrafficOf({ engine, ports, healthCheck }: Probed): ProbeTraffic | null {
  if (!isEngine(engine)) return null;
  const sum: ProbeTraffic = { packetsPerSecond: 0, newConnectionsPerSecond: 0 };
  for (const { protocol } of ports) {
    const perSecond = probesPerSecond(protocol, healthCheck);
    const one = countedByEngine[engine][protocol];
    sum.packetsPerSecond += perSecond * one.packets;
    sum.newConnectionsPerSecond += perSecond * one.connections;
  }
  return sum.packetsPerSecond + sum.newConnectionsPerSecond > 0 ? sum : null;
}

/** For TCP a connection is enough. UDP needs the service's own check, at its interval. */
function probesPerSecond(protocol: Protocol, healthCheck: HealthCheck | null): number {
  if (protocol === "tcp") return 1_000 / usualIntervalMs;
  const check = checkOf(healthCheck, protocol);
  return check?.type === "udp" ? 1_000 / check.intervalMs : 0;
}

function isEngine(engine: string): engine is keyof typeof countedByEngine {
  return Object.hasOwn(countedByEngine, engine);
}
