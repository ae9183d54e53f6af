import type { TrafficProfile } from "./traffic-profile.ts";

const usualDurationSeconds = 60;
const gbPerHourOfMbps = 3_600 / 8 / 1_000;
export const bytesOfGb = 1e9;
export const gibOfGb = bytesOfGb / 2 ** 30;

/** Load is the load of a balancer in an hour. Data is in decimal GB. */
export type Load = {
  mbps: number;
  gbPerHour: number;
  /** From clients; gbOutPerHour is to clients. */
  gbInPerHour: number;
  gbOutPerHour: number;
  newPerSecond: number;
  active: number;
  requestsPerSecond: number;
  rulesPerRequest: number;
};

/** loadAt is the total load of a profile at a given traffic: the rest of the profile scales with it. */
export function loadAt(profile: TrafficProfile, mbps: number): Load {
  const factor = profile.averageMbps > 0 ? mbps / profile.averageMbps : 1;
  const gbPerHour = mbps * gbPerHourOfMbps;
  const rate = profile.newConnectionsPerSecond * factor;
  const hasRequests = profile.protocol === "http" || profile.protocol === "quic";
  return {
    mbps,
    gbPerHour,
    gbInPerHour: gbPerHour * (1 - profile.responseShare),
    gbOutPerHour: gbPerHour * profile.responseShare,
    newPerSecond: rate,
    active: activeOf(profile) * factor,
    requestsPerSecond: hasRequests ? (profile.requestsPerSecond ?? profile.newConnectionsPerSecond) * factor : 0,
    rulesPerRequest: profile.rulesPerRequest,
  };
}

/** activeOf is the number of live connections: as given, or the rate times their duration. */
function activeOf({ activeConnections, newConnectionsPerSecond, connectionDurationSeconds }: TrafficProfile): number {
  return activeConnections ?? newConnectionsPerSecond * (connectionDurationSeconds ?? usualDurationSeconds);
}

/** shareOf is the load of each of several balancers. */
export function shareOf(load: Load, balancers: number): Load {
  const { rulesPerRequest, ...rest } = load;
  const each = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value / balancers]));
  return { ...(each as Omit<Load, "rulesPerRequest">), rulesPerRequest };
}
