import { type CandidateFacts, capacityOf, type Known, unknown } from "@fairlead/domain/choice";
import { addressingNames, addressings, findAddressingLack, findStrategyLack } from "@fairlead/domain/exposure";
import type { CandidateBalancer } from "./select-balancers.sql.ts";
import type { ClusterCandidate } from "./select-candidates.sql.ts";
import type { Latest } from "./select-latest.sql.ts";

const noBalancers = "No agent with the role balancer reports";

export function familiesOf({ poolCount, families, isAttached }: ClusterCandidate): CandidateFacts["addressFamilies"] {
  if (poolCount > 0) return { value: families, source: "Address pools with a free address", at: null };
  return isAttached
    ? unknown("It has no address pool; its provider assigns addresses")
    : { value: [], source: "It has no address pool", at: null };
}

export function offersMap(cluster: ClusterCandidate, hasBalancers: boolean): Known<boolean> {
  const offered = addressingNames.filter(
    (each) => findAddressingLack(cluster, each) === null && (addressings[each].madeBy === "services" || hasBalancers),
  );
  if (offered.length > 0)
    return { value: true, source: `Strategy per-replica with the addressing ${offered.join(", ")}`, at: null };
  return { value: false, source: lackOf(findStrategyLack(cluster, "per-replica")?.message), at: null };
}

export function offersSession(cluster: ClusterCandidate, hasBalancers: boolean): Known<boolean> {
  const lack = findStrategyLack(cluster, "session");
  if (lack === null && hasBalancers) return { value: true, source: "Strategy session", at: null };
  return { value: false, source: lackOf(lack?.message), at: null };
}

function lackOf(message: string | undefined): string {
  return message?.replace(/\.$/, "") ?? noBalancers;
}

/** By agent and metric. */
export type LatestOf = ReadonlyMap<string, Latest>;
export const latestKey = (agentId: string | null, metric: string) => `${agentId} ${metric}`;

/** headroomOf is what the balancers can carry, less what they carry now. */
export function headroomOf(
  balancers: readonly CandidateBalancer[],
  latest: LatestOf,
): Pick<CandidateFacts, "headroomMbps" | "headroomConnections"> {
  const none = (why: string) => ({ headroomMbps: unknown(why), headroomConnections: unknown(why) });
  if (balancers.length === 0) return none(`${noBalancers}, and the capacity of other load balancers isn't measured`);
  // A node may have several balancers, which share its cores and its link.
  const nodes = [...new Map(balancers.map((each) => [each.nodeId, each])).values()];
  const machines = nodes.flatMap(({ cores, linkBps }) => (cores === null ? [] : [{ cores, linkBps }]));
  const unstated = nodes.find(({ cores }) => cores === null);
  if (unstated) return none(`${unstated.nodeName} doesn't report its cores`);
  const capacity = capacityOf(machines);
  const bps = sumOf(balancers, latest, "throughputBps");
  const live = sumOf(balancers, latest, "connectionsLive");
  return {
    headroomMbps:
      "why" in bps
        ? unknown(bps.why)
        : {
            value: capacity.mbps - bps.sum / 1e6,
            source: `Capacity (${capacity.mbpsSource}) less the present throughput`,
            at: bps.at,
          },
    headroomConnections:
      "why" in live
        ? unknown(live.why)
        : {
            value: capacity.connections - live.sum,
            source: `Capacity (${capacity.connectionsSource}) less live connections`,
            at: live.at,
          },
  };
}

type Summed = { sum: number; at: Date } | { why: string };

function sumOf(
  balancers: readonly CandidateBalancer[],
  latest: LatestOf,
  metric: "throughputBps" | "connectionsLive",
): Summed {
  let [sum, oldest] = [0, Number.POSITIVE_INFINITY];
  for (const { agentId, nodeName } of balancers) {
    const last = latest.get(latestKey(agentId, metric));
    if (!last)
      return {
        why: `The balancer on ${nodeName} reports no ${metric === "throughputBps" ? "throughput" : "connections"}`,
      };
    sum += last.value;
    oldest = Math.min(oldest, last.at.getTime());
  }
  return { sum, at: new Date(oldest) };
}

/** setUpLatencyOf is the worst set-up p99 of the balancers that report one: those without connections have none. */
export function setUpLatencyOf(balancers: readonly CandidateBalancer[], latest: LatestOf): Known<number> {
  const measured = balancers.flatMap(({ agentId }) => latest.get(latestKey(agentId, "latencyMsP99")) ?? []);
  return worstLatency(measured, "Set-up of connections at its balancers, without the path from the caller");
}

export function worstLatency(measured: readonly { value: number; at: Date }[], source: string): Known<number> {
  const [first] = measured;
  if (!first)
    return unknown(
      "No balancer measured it lately: pass the caller's node as from, or what the caller measured as measured",
    );
  return {
    value: Math.max(...measured.map(({ value }) => value)),
    source,
    at: new Date(Math.min(...measured.map(({ at }) => at.getTime()))),
  };
}

const dayMs = 24 * 3_600_000;

/** availabilityOf is the share of the time in which exposures served, if at least a day of it is known. */
export function availabilityOf(served: readonly { servedMs: number; knownMs: number }[], at: Date): Known<number> {
  const known = served.reduce((sum, each) => sum + each.knownMs, 0);
  const longest = Math.max(0, ...served.map(({ knownMs }) => knownMs));
  if (longest < dayMs) return unknown("Less than a day is known from events of its exposures");
  const up = served.reduce((sum, each) => sum + each.servedMs, 0);
  const days = Math.floor(longest / dayMs);
  return {
    value: (100 * up) / known,
    source: `Events of ${served.length} ${served.length === 1 ? "exposure" : "exposures"}, of ${days} ${days === 1 ? "day" : "days"}`,
    at,
  };
}

export function regionOf(region: string): Known<string> {
  return region === ""
    ? unknown("The region of the cluster is not set")
    : { value: region, source: "Cluster", at: null };
}
