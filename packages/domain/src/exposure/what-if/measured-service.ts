import type { Protocol } from "../exposed-port.ts";

/** A node as agents report it for one port of an exposure. null is unknown. */
export type MeasuredNode = {
  nodeId: string;
  nodeName: string;
  /** That instances there may use together. */
  cores: number | null;
  /** Those that get new connections. */
  instances: number;
  /** How long a request takes one core there. */
  serviceMs: number | null;
  /** In which instances there may use the cores, if a quota limits them. */
  cpuPeriodMs: number | null;
  /** Requests that arrive at instances there, from all nodes */
  requestsPerSecond: number | null;
  /** Connections that the node sends to instances: those of its clients, and those from outside that its balancer placed. */
  connectionsPerSecond: number | null;
  openConnections: number;
  /** null without an agent. */
  observedAt: Date | null;
};

/** One port of an exposure with the strategy adaptive, as its agents report it. */
export type MeasuredService = {
  port: number;
  protocol: Protocol;
  nodes: MeasuredNode[];
  /** The round trip from each node to each other one, in the order of the nodes. */
  roundTripMs: (number | null)[][];
};
