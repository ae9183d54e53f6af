import type { Backend, LoadBalancer, LoadBalancerPhase, Replica } from "../load-balancer/load-balancer.ts";
import { freshness } from "../node/freshness.ts";
import { figuresOf, type Measured } from "./figures-of.ts";
import { type FlowPart, groupFlow } from "./group-flow.ts";
import { type ClientSample, joinClients, type RouterHop, replicaKey } from "./join-flow.ts";
import type { FlowLink, FlowState, TrafficFlow } from "./traffic-flow.ts";

type OfBalancer = { loadBalancerId: string };

export type ExposureFlowRows = {
  balancers: readonly Pick<LoadBalancer, "id" | "name" | "phase">[];
  replicas: readonly (Replica & OfBalancer)[];
  backends: readonly (Backend & OfBalancer)[];
  measured: readonly Measured[];
  hops: readonly RouterHop[];
  samples: readonly ClientSample[];
  now: Date;
};

type Column = { part: FlowPart; agentIds: readonly string[]; loadBalancerIds: readonly string[] };

/** flowOfExposure is the path of an exposure's traffic: replicas on one node are one place, and ports of one instance too. */
export function flowOfExposure(all: ExposureFlowRows): Pick<TrafficFlow, "places" | "links"> {
  const rows = { ...all, replicas: entriesOf(all.replicas) };
  const replicas = [...replicaColumn(rows), ...balancersWithoutReplicas(rows)];
  const own = replicas.map((each) => each.part);
  const backends = backendColumn(rows, replicas);
  const clients = joinClients(own, rows.hops, rows.samples);
  return groupFlow([...clients.parts, ...own, ...backends.parts], [...clients.edges, ...backends.edges]);
}

/** entriesOf returns the replicas at which clients outside enter. Those of the strategy adaptive on nodes are for the node's clients. */
function entriesOf<Of extends Pick<Replica, "role">>(replicas: readonly Of[]): readonly Of[] {
  const balancers = replicas.filter((each) => each.role === "balancer");
  return balancers.length > 0 ? balancers : replicas;
}

function replicaColumn({ replicas, measured, now }: ExposureFlowRows): Column[] {
  const groups = Map.groupBy(replicas, (each) => replicaKey(each.nodeId ?? each.id));
  const ofReplica = Map.groupBy(measured, (each) => `${each.subjectId} ${each.agentId}`);
  return [...groups].map(([key, group]) => {
    const figures = group.flatMap((each) => ofReplica.get(`${each.loadBalancerId} ${each.agentId}`) ?? []);
    const [first] = group;
    return {
      part: {
        ...{ key, column: "replica", kind: "replica", id: first?.nodeId ?? null, name: first?.nodeName ?? "" },
        ...figuresOf(figures),
        state: stateOfReplicas(group, now),
      },
      agentIds: group.flatMap((each) => each.agentId ?? []),
      loadBalancerIds: group.map((each) => each.loadBalancerId),
    };
  });
}

/** Load balancers of a cloud or of Kubernetes have no replicas of ours. */
function balancersWithoutReplicas({ balancers, replicas, measured }: ExposureFlowRows): Column[] {
  const carried = new Set(replicas.map((each) => each.loadBalancerId));
  return balancers
    .filter((each) => !carried.has(each.id))
    .map(({ id, name, phase }) => ({
      part: {
        ...{ key: replicaKey(id), column: "replica", kind: "load-balancer", id, name },
        ...figuresOf(measured.filter((each) => each.subjectId === id)),
        state: stateOfPhase[phase],
      },
      agentIds: [],
      loadBalancerIds: [id],
    }));
}

function backendColumn({ backends, measured }: ExposureFlowRows, replicas: readonly Column[]) {
  const parts: FlowPart[] = [];
  const edges: FlowLink[] = [];
  const ofBackend = Map.groupBy(measured, (each) => each.subjectId);
  const replicaOfAgent = new Map(replicas.flatMap(({ part, agentIds }) => agentIds.map((each) => [each, part.key])));
  for (const [name, group] of Map.groupBy(backends, (each) => each.instance || (each.address ?? ""))) {
    const key = `backend/${name}`;
    const figures = group.flatMap((each) => ofBackend.get(each.id) ?? []);
    parts.push({
      ...{ key, column: "backend", kind: "backend", id: null, name },
      ...figuresOf(figures),
      state: stateOfBackends(group),
    });
    const known = figures.flatMap(({ metric, agentId, value }): FlowLink[] => {
      const from = replicaOfAgent.get(agentId ?? "");
      return from && metric === "throughputBps" ? [{ from, to: key, throughputBps: value }] : [];
    });
    const balancerIds = new Set(group.map((each) => each.loadBalancerId));
    const possible = replicas
      .filter(({ loadBalancerIds }) => loadBalancerIds.some((each) => balancerIds.has(each)))
      .map(({ part }): FlowLink => ({ from: part.key, to: key, throughputBps: null }));
    const measuredBy = new Set(known.map((each) => each.from));
    edges.push(...known, ...possible.filter((each) => !measuredBy.has(each.from)));
  }
  return { parts, edges };
}

function stateOfReplicas(group: readonly Replica[], now: Date): FlowState {
  if (group.every((each) => each.nodeId === null || each.observedAt === null)) return "pending";
  const isSilent = ({ observedAt, reportIntervalMs }: Replica) =>
    reportIntervalMs !== null && freshness(observedAt, reportIntervalMs, now) === "silent";
  if (group.every(isSilent)) return "silent";
  if (group.every((each) => each.ready)) return "up";
  return group.some((each) => each.ready) ? "degraded" : "down";
}

/** Of several ports of one instance, the worst health counts. */
function stateOfBackends(group: readonly Backend[]): FlowState {
  if (group.some((each) => each.health === "down")) return "down";
  if (group.some((each) => each.state === "draining" || each.state === "inactive")) return "draining";
  return group.some((each) => each.health === "unknown") ? "unknown" : "up";
}

/** The state of what is in this phase. */
export const stateOfPhase: Record<LoadBalancerPhase, FlowState> = {
  pending: "pending",
  serving: "up",
  degraded: "degraded",
  failed: "down",
  deleting: "draining",
};
