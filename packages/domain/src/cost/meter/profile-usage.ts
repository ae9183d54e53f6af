import { strategies } from "../../exposure/strategies.ts";
import { amount } from "../offers/capacity-figure.ts";
import { type TrafficProfile, type TrafficProfileInput, trafficProfile } from "../traffic/traffic-profile.ts";
import type { BalancerFacts } from "./billing.ts";

/** MeasuredTraffic is what all balancers of an exposure carried in a time. */
export type MeasuredTraffic = {
  seconds: number;
  /** Of all balancers together. */
  existsSeconds: number;
  coveredSeconds: number;
  bytesIn: number | null;
  /** To clients, and what came from them in the hours of which that is known. */
  bytesOut: number | null;
  bytesInAnswered: number | null;
  bytesBoth: number | null;
  connectionsNew: number | null;
  connectionSeconds: number | null;
  peakInBps: number | null;
  peakBothBps: number | null;
};

export type MeasuredProfile = { profile: TrafficProfile | null; notes: string[] };

/** Where answers pass balancers by, nobody measures them. Most of what clients ask for is larger than the question. */
export const usualResponseShare = 0.9;

/** profileUsage makes of what was measured a traffic to ask the calculator about, and says what in it is assumed. */
export function profileUsage(
  used: MeasuredTraffic,
  balancers: readonly Pick<BalancerFacts, "strategy" | "ports" | "runsAs">[],
): MeasuredProfile {
  const [facts] = balancers;
  const { coveredSeconds, bytesIn, bytesBoth, connectionsNew, connectionSeconds } = used;
  if (!facts || coveredSeconds === 0 || (bytesIn === null && bytesBoth === null))
    return { profile: null, notes: ["No traffic was measured in this time."] };
  // So many were there at once; those that were not measured are taken to have carried as much as the others.
  const atOnce = used.existsSeconds / used.seconds;
  const rate = (sum: number) => (sum / coveredSeconds) * atOnce;
  const { strategy, ports, runsAs } = facts;
  const measuredShare = responseShareOf(used);
  const responseShare = measuredShare ?? runsAs?.responseShare ?? usualResponseShare;
  const mbps = (inBps: number, bothBps: number) => round((inBps / (1 - responseShare) + bothBps) / 1e6);
  const averageMbps = mbps(rate(bytesIn ?? 0) * 8, rate(bytesBoth ?? 0) * 8);
  const profile: TrafficProfileInput = {
    averageMbps,
    // What was nothing on average had no peak either, whatever a rounding left of it.
    peakMbps: averageMbps === 0 ? 0 : Math.max(averageMbps, mbps(used.peakInBps ?? 0, used.peakBothBps ?? 0)),
    newConnectionsPerSecond: round(rate(connectionsNew ?? 0)),
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
            `${bytesIn === null ? "Both ways are measured together" : `Only what comes from clients is measured, ${amount(rate(bytesIn) * 8e-6)} Mbit/s`}. That ${usualResponseShare * 100} % of all traffic goes out to them is assumed; "Runs as" of the cluster can say better.`,
          ]
        : []),
      ...(coveredSeconds < used.existsSeconds * 0.995 ? ["What was not measured is taken to be like what was."] : []),
    ],
  };
}

/** responseShareOf is how much went out to clients through the balancers; null where that isn't known, or passed them by. */
function responseShareOf({ bytesOut, bytesInAnswered }: MeasuredTraffic): number | null {
  return bytesOut && bytesInAnswered !== null ? Math.min(0.999, bytesOut / (bytesOut + bytesInAnswered)) : null;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
