import { mostNetworks, type ReportedClients } from "./balancer-report.ts";

/** mergeSamples merges the samples of the ports of one replica; null if there are none. */
export function mergeSamples(samples: readonly ReportedClients[]): ReportedClients | null {
  const [first, ...others] = samples;
  if (!first || others.length === 0) return first ?? null;
  const groups = Map.groupBy(
    samples.flatMap((each) => each.networks),
    (each) => each.prefix,
  );
  const networks = [...groups].map(([prefix, own]) => ({
    prefix,
    throughputBps: own.reduce((sum, each) => sum + each.throughputBps, 0),
    packetsPerSecond: own.reduce((sum, each) => sum + each.packetsPerSecond, 0),
  }));
  networks.sort((a, b) => b.throughputBps - a.throughputBps);
  const left = networks.slice(mostNetworks).reduce((sum, each) => sum + each.throughputBps, 0);
  return {
    problem: samples.find((each) => each.problem !== "")?.problem ?? "",
    seconds: Math.max(...samples.map((each) => each.seconds)),
    oneIn: Math.max(...samples.map((each) => each.oneIn)),
    networks: networks.slice(0, mostNetworks),
    otherBps: samples.reduce((sum, each) => sum + each.otherBps, left),
  };
}
