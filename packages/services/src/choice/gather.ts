import {
  type Candidate,
  type Choose,
  type Known,
  mostCandidates,
  type Requirements,
  unknown,
} from "@fairlead/domain/choice";
import type { MetricName } from "@fairlead/domain/series";
import type { ServiceContext } from "../context.ts";
import {
  availabilityOf,
  familiesOf,
  headroomOf,
  type LatestOf,
  latestKey,
  offersMap,
  offersSession,
  regionOf,
  setUpLatencyOf,
  worstLatency,
} from "./facts.ts";
import { keepServed } from "./keep-served.ts";
import { openPrices } from "./prices.ts";
import { type CandidateBalancer, selectClusterBalancers, selectExposureBalancers } from "./select-balancers.sql.ts";
import { selectClusters, selectExposures } from "./select-candidates.sql.ts";
import { type RoundTrip, selectExposureLatency, selectLatest, selectRoundTrips } from "./select-latest.sql.ts";

/** What facts are about: choices with the same scope can share them. */
export type Scope = Pick<Choose, "among" | "clusterId" | "from" | "currency" | "maxAgeSeconds"> & {
  asked: ReadonlySet<keyof Requirements>;
};

/** What doesn't depend on from: choices with the same one can share what was read of the fleet. */
export type FleetScope = Omit<Scope, "from">;

/** fleetScopeOf leaves out what is read per node. */
export function fleetScopeOf({ from, asked, ...scope }: Scope): FleetScope {
  return {
    ...scope,
    asked: from === undefined ? asked : new Set([...asked].filter((name) => name !== "latencyMsP99")),
  };
}

const notAsked = unknown("It was not asked for");
const noRows: ReadonlyMap<string, never[]> = new Map();

export type Fleet = Awaited<ReturnType<typeof readClusters>> | Awaited<ReturnType<typeof readExposures>>;

/** readFleet reads what is known of each candidate, and only what the requirements ask for. */
export async function readFleet(ctx: ServiceContext, scope: FleetScope): Promise<Fleet> {
  return scope.among === "clusters" ? readClusters(ctx, scope) : readExposures(ctx, scope);
}

/** gatherCandidates adds the round trips from a node to what was read of the fleet. */
export async function gatherCandidates(
  ctx: ServiceContext,
  scope: Scope,
  read: Promise<Fleet> = readFleet(ctx, fleetScopeOf(scope)),
): Promise<Candidate[]> {
  const { from, asked } = scope;
  const [fleet, trips] = await Promise.all([
    read,
    from !== undefined && asked.has("latencyMsP99")
      ? selectRoundTrips(ctx.db, ctx.organizationId, from, ctx.now, sinceOf(ctx, scope))
      : undefined,
  ]);
  return fleet.among === "clusters" ? ofClusters(fleet, trips) : ofExposures(fleet, trips);
}

type Trips = readonly RoundTrip[] | undefined;

async function readClusters(ctx: ServiceContext, scope: FleetScope) {
  const { db, organizationId } = ctx;
  const [clusters, balancers, common] = await Promise.all([
    selectClusters(db, organizationId, scope.clusterId, mostCandidates + 1),
    selectClusterBalancers(db, organizationId),
    readCommon(ctx, scope),
  ]);
  return { among: "clusters" as const, clusters, balancers, common, latest: await readLatest(ctx, scope, balancers) };
}

function ofClusters(
  { clusters, balancers, common, latest }: Awaited<ReturnType<typeof readClusters>>,
  trips: Trips,
): Candidate[] {
  const balancersOf = Map.groupBy(balancers, ({ candidateId }) => candidateId);
  const servedOf = common.served ? Map.groupBy(common.served.served, ({ clusterId }) => clusterId) : noRows;
  const tripsOf = trips ? Map.groupBy(trips, ({ clusterId }) => clusterId) : noRows;
  return clusters.map((cluster) => {
    const { id, name } = cluster;
    const own = balancersOf.get(id) ?? [];
    return {
      ...{ id, name, clusterId: id, clusterName: name },
      facts: {
        addressFamilies: familiesOf(cluster),
        perInstanceMap: offersMap(cluster, own.length > 0),
        tlsPersistence: offersSession(cluster, own.length > 0),
        latencyMsP99: trips ? fromNode(tripsOf.get(id) ?? []) : setUpLatencyOf(own, latest),
        ...headroomOf(own, latest),
        region: regionOf(cluster.region),
        hourlyMicros: common.prices?.ofCluster(cluster, own.length > 0) ?? notAsked,
        availabilityPercent: common.served ? availabilityOf(servedOf.get(id) ?? [], common.served.at) : notAsked,
        labels: { value: cluster.labels, source: "Cluster", at: null },
      },
    };
  });
}

async function readExposures(ctx: ServiceContext, scope: FleetScope) {
  const { db, organizationId } = ctx;
  const hasLatency = scope.asked.has("latencyMsP99");
  const [exposures, balancers, latencies, common] = await Promise.all([
    selectExposures(db, organizationId, scope.clusterId, mostCandidates + 1),
    selectExposureBalancers(db, organizationId),
    hasLatency ? selectExposureLatency(db, organizationId, sinceOf(ctx, scope)) : [],
    readCommon(ctx, scope),
  ]);
  const latest = await readLatest(ctx, scope, balancers);
  return { among: "exposures" as const, exposures, balancers, latencies, common, latest };
}

function ofExposures(
  { exposures, balancers, latencies, common, latest }: Awaited<ReturnType<typeof readExposures>>,
  trips: Trips,
): Candidate[] {
  const balancersOf = Map.groupBy(balancers, ({ candidateId }) => candidateId);
  const servedOf = new Map(common.served?.served.map((each) => [each.exposureId, each]));
  const latencyOf = new Map(latencies.map((each) => [each.candidateId, each]));
  return exposures.map((exposure) => {
    const { id, name, clusterId, clusterName, strategy, families, observedAt } = exposure;
    const own = balancersOf.get(id) ?? [];
    const nodes = new Set(own.map(({ nodeId }) => nodeId));
    const served = servedOf.get(id);
    const latency = latencyOf.get(id);
    const ownTrips = trips?.filter(({ nodeId }) => nodes.has(nodeId));
    return {
      ...{ id, name, clusterId, clusterName },
      facts: {
        addressFamilies:
          families.length > 0
            ? { value: families, source: "Addresses of its load balancers", at: observedAt }
            : unknown("Its load balancers have no addresses yet"),
        perInstanceMap: { value: strategy === "per-replica", source: `Strategy ${strategy}`, at: null },
        tlsPersistence: { value: strategy === "session", source: `Strategy ${strategy}`, at: null },
        latencyMsP99: ownTrips
          ? fromNode(ownTrips)
          : worstLatency(latency ? [latency] : [], "Set-up of its connections, without the path from the caller"),
        ...headroomOf(own, latest),
        region: regionOf(exposure.region),
        hourlyMicros: common.prices?.ofBalancers(exposure.balancers) ?? notAsked,
        availabilityPercent: common.served ? availabilityOf(served ? [served] : [], common.served.at) : notAsked,
        labels: { value: exposure.labels, source: "Exposure", at: null },
      },
    };
  });
}

/** What is read alike for clusters and exposures; undefined for what wasn't asked for. */
async function readCommon(ctx: ServiceContext, { asked, currency }: FleetScope) {
  const [served, prices] = await Promise.all([
    asked.has("availability") ? keepServed(ctx) : undefined,
    asked.has("hourlyPrice") ? openPrices(ctx, currency) : undefined,
  ]);
  return { served, prices };
}

/** Figures that are too old are still read, so that their age is shown. */
const leastReachMs = 900_000;

function sinceOf({ now }: Pick<ServiceContext, "now">, { maxAgeSeconds }: FleetScope): Date {
  return new Date(now.getTime() - Math.max(leastReachMs, maxAgeSeconds * 1_000));
}

async function readLatest(
  ctx: ServiceContext,
  scope: FleetScope,
  balancers: readonly CandidateBalancer[],
): Promise<LatestOf> {
  const { asked, among } = scope;
  const metrics: MetricName[] = [
    ...(asked.has("headroomMbps") ? (["throughputBps"] as const) : []),
    ...(asked.has("headroomConnections") ? (["connectionsLive"] as const) : []),
    ...(asked.has("latencyMsP99") && among === "clusters" ? (["latencyMsP99"] as const) : []),
  ];
  const nodeIds = [...new Set(balancers.map(({ nodeId }) => nodeId))];
  if (metrics.length === 0 || nodeIds.length === 0) return new Map();
  const rows = await selectLatest(ctx.db, ctx.organizationId, nodeIds, metrics, sinceOf(ctx, scope));
  return new Map(rows.map((row) => [latestKey(row.agentId, row.metric), row]));
}

function fromNode(trips: readonly RoundTrip[]): Known<number> {
  if (trips.length === 0)
    return unknown("No round trips from the node to it. To use your own measurements, send them in the field measured");
  return worstLatency(trips, "Round trip from the node to the farthest of its nodes, p99 of the last minute");
}
