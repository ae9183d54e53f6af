import type { Catalogue } from "../prices/catalogue.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import type { EstimateRequest } from "./estimate.ts";
import { estimateCosts } from "./estimate-costs.ts";

/** Sensitivity is the change of an option when traffic grows by a factor. */
export type Sensitivity = {
  offerId: string;
  region: string;
  monthlyMicros: number;
  /** null if there is no price then. */
  thenMonthlyMicros: number | null;
  /** The relative rise of the price; null if it was 0 before, or is unknown then. */
  rise: number | null;
  /** Whether it still fits. */
  thenFits: boolean;
};

/** compareTraffic prices a profile, and the same profile with multiplied traffic, connections and requests. */
export function compareTraffic(request: EstimateRequest, catalogue: Catalogue, times = 2): Sensitivity[] {
  const then = estimateCosts({ ...request, profile: timesTraffic(request.profile, times) }, catalogue);
  const later = new Map(then.options.map((option) => [`${option.offerId}\n${option.region}`, option]));
  return estimateCosts(request, catalogue).options.map(({ offerId, region, monthlyMicros }) => {
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

/** timesTraffic keeps what doesn't grow with traffic: ports, zones, replicas, the duration of connections. */
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
