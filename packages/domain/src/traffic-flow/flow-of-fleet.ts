import type { ExposurePhase } from "../exposure/exposure.ts";
import { stateOfPhase } from "./flow-of-exposure.ts";
import { type FlowPart, groupFlow, sumOfAll } from "./group-flow.ts";
import { type ClientSample, joinClients, type RouterHop, replicaKey } from "./join-flow.ts";
import type { FlowLink, FlowPlace, FlowState, TrafficFlow } from "./traffic-flow.ts";

/** A node with replicas of our balancers. */
export type BalancerNode = {
  id: string;
  name: string;
  replicas: number;
  /** Replicas that its agents have reported. */
  observed: number;
  ready: number;
  isSilent: boolean;
  throughputBps: number | null;
  dropsPerSecond: number | null;
};

/** What a node carries of an exposure. */
export type CarriedExposure = { exposureId: string; nodeId: string; throughputBps: number | null };

export type FlowExposure = {
  id: string;
  name: string;
  phase: ExposurePhase;
  /** null until they are observed. */
  backends: FlowPlace["backends"];
};

export type FleetFlowRows = {
  nodes: readonly BalancerNode[];
  exposures: readonly FlowExposure[];
  carried: readonly CarriedExposure[];
  hops: readonly RouterHop[];
  samples: readonly ClientSample[];
};

/** flowOfFleet is the path of all traffic over our balancers, to exposures and their backends. */
export function flowOfFleet({
  nodes,
  exposures,
  carried,
  hops,
  samples,
}: FleetFlowRows): Pick<TrafficFlow, "places" | "links"> {
  const replicas = nodes.map(
    (node): FlowPart => ({
      ...{ key: replicaKey(node.id), column: "replica", kind: "replica", id: node.id, name: node.name },
      ...{ throughputBps: node.throughputBps, dropsPerSecond: node.dropsPerSecond, state: stateOfNode(node) },
    }),
  );
  const ofExposure = Map.groupBy(carried, (each) => each.exposureId);
  const behind = exposures.map(({ id, name, phase }): FlowPart => {
    const throughputBps = sumOfAll((ofExposure.get(id) ?? []).map((each) => each.throughputBps));
    const own = { key: exposureKey(id), column: "exposure", kind: "exposure", id, name } as const;
    return { ...own, throughputBps, dropsPerSecond: null, state: stateOfPhase[phase] };
  });
  const edges = carried.map(({ exposureId, nodeId, throughputBps }) => ({
    from: replicaKey(nodeId),
    to: exposureKey(exposureId),
    throughputBps,
  }));
  const clients = joinClients(replicas, hops, samples);
  const { places, links } = groupFlow([...clients.parts, ...replicas, ...behind], [...clients.edges, ...edges]);
  const ends = endsOf(places, exposures);
  return { places: [...places, ...ends.places], links: [...links, ...ends.links] };
}

const exposureKey = (id: string): string => `exposure/${id}`;

/** endsOf adds the backends of each exposure that is shown, and those of the rest, as one place each. */
function endsOf(
  places: readonly FlowPlace[],
  exposures: readonly FlowExposure[],
): { places: FlowPlace[]; links: FlowLink[] } {
  const shown = places.filter((each) => each.column === "exposure");
  const named = new Set(shown.map((each) => each.id));
  const rest = exposures.filter((each) => !named.has(each.id));
  const ends = shown.flatMap((exposure): FlowPlace[] => {
    const own = exposure.id === null ? rest : exposures.filter((each) => each.id === exposure.id);
    const counted = own.flatMap((each) => each.backends ?? []);
    if (counted.length === 0) return [];
    const backends = { up: total(counted.map((each) => each.up)), total: total(counted.map((each) => each.total)) };
    const state = stateOfCount(backends);
    const key = `backends/${exposure.key}`;
    return [{ ...exposure, key, column: "backend", kind: "backends", dropsPerSecond: null, state, backends }];
  });
  const links = ends.map(({ key, state, throughputBps }) => ({
    from: key.slice("backends/".length),
    to: key,
    throughputBps: state === "down" ? null : throughputBps,
  }));
  return { places: ends, links };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, each) => sum + each, 0);
}

function stateOfCount({ up, total }: { up: number; total: number }): FlowState {
  if (up === total) return total === 0 ? "pending" : "up";
  return up === 0 ? "down" : "degraded";
}

function stateOfNode({ observed, ready, isSilent }: BalancerNode): FlowState {
  if (isSilent) return "silent";
  if (observed === 0) return "pending";
  if (ready === observed) return "up";
  return ready > 0 ? "degraded" : "down";
}
