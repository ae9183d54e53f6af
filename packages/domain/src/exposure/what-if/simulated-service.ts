import type { Protocol } from "../exposed-port.ts";

/** A node of a service with all that a simulation needs. */
export type SimulatedNode = {
  nodeId: string;
  nodeName: string;
  cores: number;
  instances: number;
  serviceMs: number;
  /** null if cores aren't limited by a quota. */
  cpuPeriodMs: number | null;
  requestsPerSecond: number;
};

/** A service with all that a simulation needs. Round trips are in the order of the nodes. */
export type SimulatedService = {
  protocol: Protocol;
  nodes: SimulatedNode[];
  roundTripMs: number[][];
  /** 1 if connections are so short that each counts as one request. */
  requestsPerConnection: number;
  /** At each node, on average. */
  openConnections: number;
};

/** loadOf is the part of the cores of nodes with instances that requests need. */
export function loadOf({ nodes }: SimulatedService): number {
  const capacity = nodes.reduce(
    (sum, { instances, cores, serviceMs }) => sum + (instances > 0 ? (cores * 1_000) / serviceMs : 0),
    0,
  );
  return rateOf(nodes) / capacity;
}

export function rateOf(nodes: readonly Pick<SimulatedNode, "requestsPerSecond">[]): number {
  return nodes.reduce((sum, each) => sum + each.requestsPerSecond, 0);
}
