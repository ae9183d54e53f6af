import { shareOut } from "../experiment/share-out.ts";
import type { LinkCounts, LinkState, Topology, TopologyPlace } from "./routing-summary.ts";

/** Our end of a session. */
export type SessionEnd = {
  clusterId: string;
  nodeId: string;
  nodeName: string;
  role: string;
  /** Or its address, if it has no name. */
  peerName: string;
  family: number;
  isUp: boolean;
  isStale: boolean;
};

/** The traffic from a router's kernel to a balancer, over all routes. */
export type KernelFlow = {
  clusterId: string;
  routerName: string;
  balancerName: string;
  weight: number;
  throughputBps: number | null;
  isStale: boolean;
};

type Column = TopologyPlace["column"];
const columns = ["router", "reflector", "speaker"] as const;
/** If a column has more places than this, it has one place for each cluster. */
const mostOfColumn = 24;

/** groupTopology is the graph of sessions, each once, though both ends report it. */
export function groupTopology(
  ends: readonly SessionEnd[],
  kernelFlows: readonly KernelFlow[],
): Omit<Topology, "leftOut"> {
  const known = new Map<string, TopologyPlace>();
  for (const { clusterId, nodeId, nodeName, role } of ends) {
    const column = columns.find((each) => each === role);
    if (!column) continue;
    const key = keyOf(clusterId, column, nodeName);
    known.set(key, { key, clusterId, column, name: nodeName, nodeId, size: 1 });
  }
  const sessions = new Map<string, Session>();
  for (const end of ends) {
    const own = columns.find((each) => each === end.role);
    if (!own) continue;
    const column = columnOfPeer(end, own, known);
    const key = keyOf(end.clusterId, column, end.peerName);
    if (!known.has(key))
      known.set(key, { key, clusterId: end.clusterId, column, name: end.peerName, nodeId: null, size: 1 });
    const [from, to] = inOrder([own, keyOf(end.clusterId, own, end.nodeName)], [column, key]);
    const id = `${from} ${to} ${end.family}`;
    const state: LinkState = end.isStale ? "stale" : end.isUp ? "up" : "down";
    sessions.set(id, { from, to, state: worse(sessions.get(id)?.state, state) });
  }
  const group = groupsOf([...known.values()]);
  const places = new Map<string, TopologyPlace>();
  for (const place of known.values()) {
    const key = group(place);
    const before = places.get(key);
    if (key === place.key) places.set(key, place);
    else places.set(key, { ...place, key, name: "", nodeId: null, size: (before?.size ?? 0) + 1 });
  }
  const keyed = (key: string) => group(known.get(key));
  return {
    places: [...places.values()].sort(byName),
    links: linksOf([...sessions.values()], keyed),
    flows: flowsOf(kernelFlows, keyed),
  };
}

type Session = { from: string; to: string; state: LinkState };

/** A current report of "down" has precedence over a silent end. */
function worse(before: LinkState | undefined, now: LinkState): LinkState {
  const rank = { up: 0, stale: 1, down: 2 };
  return before && rank[before] > rank[now] ? before : now;
}

function columnOfPeer({ clusterId, peerName }: SessionEnd, own: Column, known: ReadonlyMap<string, unknown>): Column {
  const ours = columns.find((each) => each !== own && known.has(keyOf(clusterId, each, peerName)));
  // A third-party peer is in the column of its likely kind: peers of balancers and routers are reflectors, and vice versa.
  return ours ?? (own === "reflector" ? "router" : "reflector");
}

function inOrder(a: [Column, string], b: [Column, string]): [string, string] {
  return columns.indexOf(a[0]) <= columns.indexOf(b[0]) ? [a[1], b[1]] : [b[1], a[1]];
}

function groupsOf(places: readonly TopologyPlace[]): (place: TopologyPlace | undefined) => string {
  const crowded = new Set(
    columns.filter((column) => places.filter((each) => each.column === column).length > mostOfColumn),
  );
  return (place) => {
    if (!place) return "";
    return crowded.has(place.column) ? keyOf(place.clusterId, place.column, "*") : place.key;
  };
}

function linksOf(sessions: readonly Session[], keyed: (key: string) => string): Topology["links"] {
  const links = new Map<string, { from: string; to: string } & LinkCounts>();
  for (const { from, to, state } of sessions) {
    const ends = { from: keyed(from), to: keyed(to) };
    const link = links.get(`${ends.from} ${ends.to}`) ?? { ...ends, up: 0, down: 0, stale: 0 };
    link[state]++;
    links.set(`${ends.from} ${ends.to}`, link);
  }
  return [...links.values()];
}

type Flow = { from: string; to: string; weight: number; throughputBps: number | null; isStale: boolean };

function flowsOf(kernelFlows: readonly KernelFlow[], keyed: (key: string) => string): Topology["flows"] {
  const flows = new Map<string, Flow>();
  for (const { clusterId, routerName, balancerName, weight, throughputBps, isStale } of kernelFlows) {
    const from = keyed(keyOf(clusterId, "router", routerName));
    const to = keyed(keyOf(clusterId, "speaker", balancerName));
    if (!from || !to) continue;
    const flow = flows.get(`${from} ${to}`);
    if (!flow) flows.set(`${from} ${to}`, { from, to, weight, throughputBps, isStale });
    else {
      flow.weight += weight;
      if (throughputBps !== null) flow.throughputBps = (flow.throughputBps ?? 0) + throughputBps;
      flow.isStale ||= isStale;
    }
  }
  return [...Map.groupBy(flows.values(), ({ from }) => from).values()].flatMap((ofRouter) => {
    const shares = shareOut(ofRouter.map((each) => each.weight));
    const measured = shareOut(ofRouter.map((each) => each.throughputBps));
    return ofRouter.map(({ weight: _, ...flow }, i) => ({
      ...flow,
      share: shares[i] ?? null,
      measuredShare: measured[i] ?? null,
    }));
  });
}

function byName(a: TopologyPlace, b: TopologyPlace): number {
  return columns.indexOf(a.column) - columns.indexOf(b.column) || (a.key < b.key ? -1 : 1);
}

const keyOf = (clusterId: string, column: Column, name: string): string => `${clusterId}/${column}/${name}`;
