import type { ExposurePhase } from "../exposure/exposure.ts";
import { stateOfPhase } from "./flow-of-exposure.ts";
import { type FlowPart, groupFlow, sumOfAll } from "./group-flow.ts";
import { type ClientSample, joinClients, type RouterHop, replicaKey } from "./join-flow.ts";
import type { FlowState, TrafficFlow } from "./traffic-flow.ts";

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

export type FleetFlowRows = {
  nodes: readonly BalancerNode[];
  exposures: readonly { id: string; name: string; phase: ExposurePhase }[];
  carried: readonly CarriedExposure[];
  hops: readonly RouterHop[];
  samples: readonly ClientSample[];
};

/** flowOfFleet is the path of all traffic over our balancers, to exposures. */
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
    const own = { key: exposureKey(id), column: "backend", kind: "exposure", id, name } as const;
    return { ...own, throughputBps, dropsPerSecond: null, state: stateOfPhase[phase] };
  });
  const edges = carried.map(({ exposureId, nodeId, throughputBps }) => ({
    from: replicaKey(nodeId),
    to: exposureKey(exposureId),
    throughputBps,
  }));
  const clients = joinClients(replicas, hops, samples);
  return groupFlow([...clients.parts, ...replicas, ...behind], [...clients.edges, ...edges]);
}

const exposureKey = (id: string): string => `backend/${id}`;

function stateOfNode({ observed, ready, isSilent }: BalancerNode): FlowState {
  if (isSilent) return "silent";
  if (observed === 0) return "pending";
  if (ready === observed) return "up";
  return ready > 0 ? "degraded" : "down";
}
