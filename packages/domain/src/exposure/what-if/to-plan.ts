import { z } from "zod";
import { conflict } from "../../errors.ts";
import { count } from "../../numbers.ts";
import { rateOf, type SimulatedNode, type SimulatedService } from "./simulated-service.ts";
import { simulatorLimits } from "./simulator-limits.ts";

/** A plan of the simulator (`fairlead-agent simulate`). Times are in seconds. */
export type SimulatorPlan = {
  seed: number;
  cores: number[];
  backends: number[];
  /** One way, from node to node. */
  delay: number[][];
  rates: number[];
  serviceTime: number;
  work: "exponential";
  /** Of each node; 0 without a quota. */
  cpuPeriods: number[];
  handshake: boolean;
  warmup: number;
  for: number;
  exchange: number;
  perConnection: number;
  connections: number;
  changes: { at: number; what: "speed"; index: number; value: number }[];
};

/** What the simulator prints. */
export const simulatorResults = z.object({
  results: z.array(
    z.object({
      meanMs: z.number(),
      latency: z.object({ p50Ms: z.number(), p99Ms: z.number() }),
      localShare: z.number(),
      busyShares: z.array(z.number()),
    }),
  ),
});
export type SimulatorResult = z.infer<typeof simulatorResults>["results"][number];

/** Between processes of one node, as in the simulator's own plans. */
const delayInside = 10e-6;
const shortestDelay = 10e-6;
/** As often as agents. */
const exchange = 0.05;

/** toPlan returns the plan for a service. All plans have the same seed, so that they differ by what changes. */
export function toPlan(service: SimulatedService): SimulatorPlan {
  const { nodes, roundTripMs, requestsPerConnection, openConnections } = service;
  const serviceMs = usualService(service);
  return {
    seed: 1,
    cores: nodes.map((each) => each.cores),
    // All instances of a node share its cores, so more of them change nothing.
    backends: nodes.map((each) => Math.min(each.instances, most.backends)),
    delay: roundTripMs.map((row, from) =>
      row.map((ms, to) => (from === to ? delayInside : Math.max(shortestDelay, ms / 2_000))),
    ),
    rates: nodes.map((each) => each.requestsPerSecond),
    serviceTime: serviceMs / 1_000,
    work: "exponential",
    cpuPeriods: nodes.map(periodOf),
    // A datagram needs no connection.
    handshake: service.protocol === "tcp",
    ...lengthOf(service),
    exchange,
    perConnection: requestsPerConnection,
    connections: openConnections,
    changes: nodes.flatMap((each, index) =>
      each.serviceMs === serviceMs ? [] : [{ at: 0, what: "speed" as const, index, value: serviceMs / each.serviceMs }],
    ),
  };
}

/** Linux accepts no other periods. */
const periods = { shortest: 0.001, longest: 1 } as const;

function periodOf({ cpuPeriodMs }: SimulatedNode): number {
  return cpuPeriodMs ? Math.min(periods.longest, Math.max(periods.shortest, cpuPeriodMs / 1_000)) : 0;
}

/** usualService is that of the first node. Others are slower or faster than it. */
function usualService({ nodes }: SimulatedService): number {
  return nodes[0]?.serviceMs ?? 1;
}

/** So many requests make the 99th percentile repeatable. */
const wantedRequests = 40_000;
/** A part of what the simulator accepts: requests enter at random times, so some plans have more than others. */
const margin = 0.7;
const most = {
  requests: margin * simulatorLimits.requests,
  figures: margin * simulatorLimits.figures,
  seconds: 5_000,
  backends: Math.floor(simulatorLimits.backends / simulatorLimits.nodes),
} as const;
const shortest = { for: 10, warmup: 5 } as const;

/** lengthOf is how long to simulate: long enough for many requests, and short enough to be done in about a second. */
function lengthOf({ nodes }: SimulatedService): { warmup: number; for: number } {
  const rate = rateOf(nodes);
  const measured = Math.max(shortest.for, wantedRequests / rate);
  const warmup = Math.max(shortest.warmup, measured / 10);
  const possible = Math.min(most.seconds, most.requests / rate, (most.figures * exchange) / nodes.length ** 2);
  if (possible < 1)
    throw conflict(
      `Up to ${count(most.requests)} requests per second can be simulated, and ${count(Math.round(rate))} were measured.`,
    );
  const scale = Math.min(1, possible / (measured + warmup));
  return { warmup: warmup * scale, for: measured * scale };
}
