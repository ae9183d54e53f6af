import { conflict } from "../../errors.ts";
import { count, significant } from "../../numbers.ts";
import type { MeasuredNode, MeasuredService } from "./measured-service.ts";
import type { SimulatedNode, SimulatedService } from "./simulated-service.ts";
import { simulatorLimits } from "./simulator-limits.ts";
import { mostWhatIfNodes } from "./what-if.ts";

export type CompleteFigures = {
  service: SimulatedService;
  assumptions: string[];
  /** When the oldest of the figures was reported; null if none was. */
  observedAt: Date | null;
};

/**
 * completeFigures returns what a simulation needs from what agents report, with the assumptions in place of unknown figures.
 * Of too many nodes, unused ones are left out, unless the change names them; leftOut is how many are already. It throws a conflict
 * if too little is measured for any prediction.
 */
export function completeFigures(
  measured: MeasuredService,
  named: ReadonlySet<string> = new Set(),
  leftOut = 0,
): CompleteFigures {
  const isKept = (node: MeasuredNode) => isFew(measured) || isUsed(node) || named.has(node.nodeId);
  const kept = measured.nodes.flatMap((node, place) => (isKept(node) ? [place] : []));
  const nodes = kept.flatMap((place) => measured.nodes[place] ?? []);
  if (nodes.length > mostWhatIfNodes)
    throw conflict(
      `${nodes.length} nodes have requests or instances, or are in the change, and up to ${mostWhatIfNodes} can be simulated.`,
    );
  if (nodes.every((each) => each.instances === 0))
    throw conflict("No instance gets connections, so nothing can be predicted. Start one, or see its health.");
  if (!nodes.some((each) => each.requestsPerSecond))
    throw conflict(
      "No requests were measured in the last reports, so nothing can be predicted. Try again while clients send requests.",
    );
  const assumptions: string[] = [];
  const unused = leftOut + measured.nodes.length - nodes.length;
  if (unused > 0)
    assumptions.push(
      `${count(unused)} other nodes are left out: those with instances, and with the most connections, are simulated.`,
    );
  const trips = completeTrips(measured, kept, assumptions);
  return {
    service: {
      protocol: measured.protocol,
      nodes: completeNodes(nodes, assumptions),
      roundTripMs: trips,
      ...connectionsOf(nodes, assumptions),
    },
    observedAt: oldestOf(nodes),
    assumptions: [
      ...assumptions,
      "Requests are assumed to enter where connections do, in the same proportion.",
      "How much service times vary isn't measured: they are assumed to be exponential.",
      "Memory, bandwidth, and limits of single instances aren't simulated.",
    ],
  };
}

function oldestOf(nodes: readonly MeasuredNode[]): Date | null {
  const times = nodes.flatMap((each) => each.observedAt ?? []);
  return times.length > 0 ? new Date(Math.min(...times.map(Number))) : null;
}

function isUsed({ connectionsPerSecond, openConnections, instances }: MeasuredNode): boolean {
  return (connectionsPerSecond ?? 0) > 0 || openConnections > 0 || instances > 0;
}

function isFew({ nodes }: MeasuredService): boolean {
  return nodes.length <= mostWhatIfNodes;
}

function completeNodes(nodes: readonly MeasuredNode[], assumptions: string[]): SimulatedNode[] {
  const usualMs = meanOf(nodes.map((each) => each.serviceMs));
  const usualCores = meanOf(nodes.map((each) => each.cores));
  if (usualMs === null || usualCores === null)
    throw conflict("No node has reported how long requests take, so nothing can be predicted. Try again in a minute.");
  const assume = (isMissing: (node: MeasuredNode) => boolean, what: string) => {
    const names = nodes.filter(isMissing).map((each) => each.nodeName);
    if (names.length > 0) assumptions.push(`${what}: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}.`);
  };
  assume(
    ({ requestsPerSecond, instances }) => requestsPerSecond === null && instances > 0,
    "No requests are assumed to arrive where they aren't counted",
  );
  assume(
    ({ serviceMs, instances }) => !serviceMs && instances > 0,
    "Requests are assumed to take as long as elsewhere",
  );
  assume(
    ({ cores, instances }) => !cores && instances > 0,
    "Nodes with unknown cores are assumed to have as many as others",
  );
  const entering = enteringAt(nodes);
  return nodes.map(({ nodeId, nodeName, cores, instances, serviceMs, cpuPeriodMs }, place) => ({
    ...{ nodeId, nodeName, instances, cpuPeriodMs },
    cores: cores || usualCores,
    serviceMs: serviceMs || usualMs,
    requestsPerSecond: entering[place] ?? 0,
  }));
}

/**
 * enteringAt returns the requests per second that enter at each node. Requests are counted where they arrive, and connections
 * where they enter; if none does, open ones count.
 */
function enteringAt(nodes: readonly MeasuredNode[]): number[] {
  const started = nodes.map((each) => each.connectionsPerSecond ?? 0);
  const weights = sumOf(started) > 0 ? started : nodes.map((each) => each.openConnections);
  const all = sumOf(weights);
  if (all === 0)
    throw conflict(
      "No connection started on a node with an agent of the role adaptive, so nothing can be predicted. Try again while clients connect.",
    );
  const requests = sumOf(nodes.map((each) => each.requestsPerSecond ?? 0));
  return weights.map((each) => (requests * each) / all);
}

/** A round trip that is known in one direction only is used for both. */
function completeTrips(
  { nodes, roundTripMs }: MeasuredService,
  kept: readonly number[],
  assumptions: string[],
): number[][] {
  const between = (from: number, to: number) => roundTripMs[from]?.[to] ?? roundTripMs[to]?.[from] ?? null;
  const pairs = kept.flatMap((from) => kept.filter((to) => to > from).map((to) => [from, to] as const));
  const usual = meanOf(pairs.map(([from, to]) => between(from, to)));
  const unknown = pairs.filter(([from, to]) => between(from, to) === null);
  if (usual === null && pairs.length > 0)
    throw conflict("No round trip between nodes is known yet, so nothing can be predicted. Try again in a minute.");
  const [first] = unknown;
  if (first && usual !== null) {
    const [a, b] = first.map((place) => nodes[place]?.nodeName);
    const more = unknown.length > 1 ? ` and ${unknown.length - 1} other pairs of nodes` : "";
    assumptions.push(
      `The round trip between ${a} and ${b}${more} is unknown: it is assumed to be ${significant(usual, 3)} ms, as elsewhere.`,
    );
  }
  return kept.map((from) => kept.map((to) => (from === to ? 0 : (between(from, to) ?? usual ?? 0))));
}

/** From these on, agents count connections as load that stays, and not as one request each. */
const lasting = { requests: 4, lifeSeconds: 10 } as const;
const mostRequestsPerConnection = 1_000;

function connectionsOf(nodes: readonly MeasuredNode[], assumptions: string[]) {
  const entries = nodes.filter((each) => (each.connectionsPerSecond ?? 0) > 0 || each.openConnections > 0);
  const connections = sumOf(entries.map((each) => each.connectionsPerSecond ?? 0));
  const open = sumOf(entries.map((each) => each.openConnections));
  const short = { requestsPerConnection: 1, openConnections: 1 };
  if (open === 0) return short;
  const each = sumOf(nodes.map((node) => node.requestsPerSecond ?? 0)) / connections;
  if (each <= lasting.requests && open / connections <= lasting.lifeSeconds) return short;
  const requestsPerConnection = Math.max(2, Math.min(mostRequestsPerConnection, Math.round(each)));
  const openConnections = Math.max(1, Math.min(simulatorLimits.connections, Math.round(open / entries.length)));
  assumptions.push(
    `All connections are assumed to carry ${requestsPerConnection} requests on average, ${openConnections} of them open at each node.`,
  );
  return { requestsPerConnection, openConnections };
}

/** meanOf is that of the known values above 0; null if there are none. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((each) => each !== null && each > 0);
  return known.length > 0 ? known.reduce((sum: number, each) => sum + (each ?? 0), 0) / known.length : null;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}
