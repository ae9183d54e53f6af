import { strategies } from "../../exposure/strategies.ts";
import type { ProbeTraffic } from "../../load-balancer/probe-traffic.ts";
import { amount } from "../offers/capacity-figure.ts";
import { type TrafficProfile, type TrafficProfileInput, trafficProfile } from "../traffic/traffic-profile.ts";
import type { BalancerFacts } from "./billing.ts";

/** MeasuredTraffic is the traffic of all balancers of an exposure in a time. */
export type MeasuredTraffic = {
  /** How long the exposure existed. Whole hours would dilute the traffic of one that is new. */
  seconds: number;
  /** The sum over all balancers. */
  existsSeconds: number;
  coveredSeconds: number;
  bytesIn: number | null;
  /** To clients; bytesInAnswered is from clients in the hours for which bytesOut is known. */
  bytesOut: number | null;
  bytesInAnswered: number | null;
  bytesBoth: number | null;
  connectionsNew: number | null;
  connectionSeconds: number | null;
  peakInBps: number | null;
  peakBothBps: number | null;
};

export type MeasuredProfile = { profile: TrafficProfile | null; notes: string[] };

/** With direct server return, responses aren't measured. Most of them are larger than their requests. */
export const usualResponseShare = 0.9;

/**
 * profileUsage derives a profile for the calculator from measured traffic, with notes about assumptions. Probes are what one
 * balancer counts of Fairlead's own, which aren't from clients. Their few bytes depend on the check, and are only noted.
 */
export function profileUsage(
  used: MeasuredTraffic,
  balancers: readonly Pick<BalancerFacts, "strategy" | "ports" | "runsAs">[],
  probes: ProbeTraffic = { packetsPerSecond: 0, newConnectionsPerSecond: 0 },
): MeasuredProfile {
  const [facts] = balancers;
  const { coveredSeconds, bytesIn, bytesBoth, connectionsNew, connectionSeconds } = used;
  if (!facts || coveredSeconds === 0 || (bytesIn === null && bytesBoth === null))
    return { profile: null, notes: ["No traffic was measured in this time."] };
  // The average number of balancers. Those that weren't measured are assumed to carry as much as the others.
  const atOnce = used.existsSeconds / used.seconds;
  const rate = (sum: number) => (sum / coveredSeconds) * atOnce;
  const probesPerSecond = probes.newConnectionsPerSecond * atOnce;
  const { strategy, ports, runsAs } = facts;
  const measuredShare = responseShareOf(used);
  const responseShare = measuredShare ?? runsAs?.responseShare ?? usualResponseShare;
  const mbps = (inBps: number, bothBps: number) => round((inBps / (1 - responseShare) + bothBps) / 1e6);
  const averageMbps = mbps(rate(bytesIn ?? 0) * 8, rate(bytesBoth ?? 0) * 8);
  const profile: TrafficProfileInput = {
    averageMbps,
    // Without average traffic there is no peak, regardless of rounding.
    peakMbps: averageMbps === 0 ? 0 : Math.max(averageMbps, mbps(used.peakInBps ?? 0, used.peakBothBps ?? 0)),
    newConnectionsPerSecond: round(Math.max(0, rate(connectionsNew ?? 0) - probesPerSecond)),
    activeConnections: round(rate(connectionSeconds ?? 0)),
    protocol: ports.length > 0 && ports.every(({ protocol }) => protocol === "udp") ? "udp" : "tcp",
    tls: strategies[strategy.type].tls,
    listeners: Math.max(1, ports.length),
    zones: runsAs?.zones ?? 1,
    responseShare: round(responseShare),
    internetShare: runsAs?.internetShare ?? 0,
    ...(strategies[strategy.type].balancers === "per-replica"
      ? { exposedAs: "per-replica" as const, replicas: Math.max(1, Math.round(atOnce)) }
      : {}),
  };
  return {
    profile: trafficProfile.parse(profile),
    notes: [
      ...(measuredShare === null && runsAs?.responseShare == null
        ? [
            `${bytesIn === null ? "Both directions are measured together" : `Only what comes from clients is measured, ${amount(rate(bytesIn) * 8e-6)} Mbit/s`}. That ${usualResponseShare * 100} % of all traffic goes out to them is assumed; set a better value under "Runs as" of the cluster.`,
          ]
        : []),
      ...(probesPerSecond > 0 && connectionsNew !== null
        ? [
            `Fairlead's own probes are subtracted from new connections: ${amount(probesPerSecond)} per second, as its replicas are probed now.`,
          ]
        : []),
      ...(probes.packetsPerSecond > 0
        ? ["Traffic includes Fairlead's own probes, a few kbit/s for each replica."]
        : []),
      ...(coveredSeconds < used.existsSeconds * 0.995 ? ["The same traffic is assumed for unmeasured time."] : []),
    ],
  };
}

/** responseShareOf is the share of traffic to clients through the balancers; null if unknown, or with direct server return. */
function responseShareOf({ bytesOut, bytesInAnswered }: MeasuredTraffic): number | null {
  return bytesOut && bytesInAnswered !== null ? Math.min(0.999, bytesOut / (bytesOut + bytesInAnswered)) : null;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
