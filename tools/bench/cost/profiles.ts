import {
  type EstimateRequest,
  estimateRequest,
  type TrafficProfileInput,
  tlsWays,
  trafficProtocols,
} from "@fairlead/domain/cost";

/** Exchange rates for all prices in another currency, so that nothing is left out. */
const rates = [{ from: "EUR", to: "USD", rate: 1.1, asOf: "2026-11-01" }];

// Multiples of irrational numbers are evenly distributed between 0 and 1, each sequence
// differently.
const ways = [2, 3, 5, 7, 11, 13, 17, 19, 23].map(Math.sqrt);

/** profilesOf returns different requests for the whole catalogue, as users send them: from 1 Mbit/s to 10 Gbit/s. */
export function profilesOf(count: number): EstimateRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const [traffic = 0, peak = 0, rate = 0, ...choices] = ways.map((way) => (index * way) % 1);
    const among = <Word>(words: readonly Word[]): Word =>
      words[Math.floor((choices.pop() ?? 0) * words.length)] as Word;
    const averageMbps = 10 ** (4 * traffic);
    const protocol = among(trafficProtocols);
    const profile: TrafficProfileInput = {
      averageMbps,
      peakMbps: averageMbps * (1 + 4 * peak),
      newConnectionsPerSecond: averageMbps * rate,
      protocol,
      tls: among(protocol === "udp" ? (["none"] as const) : tlsWays),
      zones: among([1, 2, 3]),
      internetShare: among([0, 1]),
      exposedAs: among(["one", "per-replica"] as const),
      replicas: among([2, 10]),
    };
    return estimateRequest.parse({ profile, rates });
  });
}
