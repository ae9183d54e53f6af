import type { Catalogue } from "../prices/catalogue.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import type { EstimateRequest } from "./estimate.ts";
import { estimateCosts } from "./estimate-costs.ts";

/** Sensitivity is what becomes of an option when its traffic is so many times as much. */
export type Sensitivity = {
  offerId: string;
  region: string;
  monthlyMicros: number;
  /** Null where there is no price then. */
  thenMonthlyMicros: number | null;
  /** By how much of itself the price rises; null where it was nothing before, or is unknown then. */
  rise: number | null;
  /** Whether it still is what was asked for. */
  thenFits: boolean;
};

/** compareTraffic prices a profile, and the same with so many times the traffic, connections and requests. */
export function compareTraffic(asked: EstimateRequest, catalogue: Catalogue, times = 2): Sensitivity[] {
  const then = estimateCosts({ ...asked, profile: timesTraffic(asked.profile, times) }, catalogue);
  const later = new Map(then.options.map((option) => [`${option.offerId}\n${option.region}`, option]));
  return estimateCosts(asked, catalogue).options.map(({ offerId, region, monthlyMicros }) => {
    const other = later.get(`${offerId}\n${region}`);
    return {
      offerId,
      region,
      monthlyMicros,
      thenMonthlyMicros: other?.monthlyMicros ?? null,
      rise: other && monthlyMicros > 0 ? other.monthlyMicros / monthlyMicros - 1 : null,
      thenFits: other?.fits ?? false,
    };
  });
}

/** timesTraffic leaves alone what does not grow with traffic: ports, zones, replicas, how long a connection lives. */
export function timesTraffic(profile: TrafficProfile, times: number): TrafficProfile {
  const { averageMbps, peakMbps, newConnectionsPerSecond, activeConnections, requestsPerSecond } = profile;
  return {
    ...profile,
    averageMbps: averageMbps * times,
    newConnectionsPerSecond: newConnectionsPerSecond * times,
    ...(peakMbps === undefined ? {} : { peakMbps: peakMbps * times }),
    ...(activeConnections === undefined ? {} : { activeConnections: activeConnections * times }),
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond: requestsPerSecond * times }),
  };
}
