import { type FlowPart, sum, sumOfAll } from "./group-flow.ts";
import type { FlowLink, FlowState } from "./traffic-flow.ts";

/** A router, and one replica to which its kernel sends. */
export type RouterHop = {
  /** Its node; null for routers without our agent. */
  routerId: string | null;
  routerName: string;
  isSilent: boolean;
  /** null: it has no route to any replica. */
  nodeId: string | null;
};

/** What one replica sampled of its clients. */
export type ClientSample = {
  nodeId: string;
  nodeName: string;
  problem: string;
  networks: { prefix: string; throughputBps: number }[];
  otherBps: number;
};

/** Client networks in a picture. A replica reports more. */
export const mostNetworks = 6;

export const replicaKey = (nodeId: string): string => `replica/${nodeId}`;
const routerKey = (routerId: string | null): string => `router/${routerId ?? ""}`;
const networkKey = (prefix: string): string => `client/${prefix}`;
const otherKey = networkKey("other");
const notSampledKey = networkKey("not-sampled");
const clientsKey = networkKey("");

type Joined = { parts: FlowPart[]; edges: FlowLink[] };

/** joinClients returns what is in front of the replicas: their routers, and the networks of their clients. */
export function joinClients(
  replicas: readonly FlowPart[],
  hops: readonly RouterHop[],
  samples: readonly ClientSample[],
): Joined {
  const { parts: routers, edges: fromRouters } = joinRouters(replicas, hops);
  const clients = samples.some((each) => each.networks.length > 0)
    ? joinNetworks(replicas, samples)
    : allClients(replicas);
  const toReplica = Map.groupBy(fromRouters, (each) => each.to);
  const edges = clients.edges.flatMap(({ from, to, throughputBps }): FlowLink[] => {
    const through = toReplica.get(to) ?? [];
    // What reaches a replica without a known route bypasses the routers.
    if (through.length === 0) return routers.length === 0 || throughputBps ? [{ from, to, throughputBps }] : [];
    const known = through.length === 1 ? throughputBps : null;
    return through.map((each) => ({ from, to: each.from, throughputBps: known }));
  });
  return { parts: [...clients.parts, ...routers], edges: [...edges, ...fromRouters] };
}

function joinRouters(replicas: readonly FlowPart[], hops: readonly RouterHop[]): Joined {
  const bpsOf = new Map(replicas.map((each) => [each.key, each.throughputBps]));
  const toReplica = Map.groupBy(hops, (each) => each.nodeId);
  const edges: FlowLink[] = [];
  const parts = [...Map.groupBy(hops, (each) => routerKey(each.routerId))].flatMap(([key, own]): FlowPart[] => {
    const [first] = own;
    if (!first) return [];
    const out = own.flatMap(({ nodeId }): FlowLink[] => {
      const to = nodeId === null ? "" : replicaKey(nodeId);
      if (!bpsOf.has(to)) return [];
      // A replica doesn't know which of several routers a packet came from.
      const isOnly = toReplica.get(nodeId)?.length === 1;
      return [{ from: key, to, throughputBps: isOnly ? (bpsOf.get(to) ?? null) : null }];
    });
    edges.push(...out);
    const isMeasured = out.every((each) => each.throughputBps !== null);
    const state: FlowState = first.isSilent ? "silent" : out.length > 0 ? "up" : "down";
    const throughputBps = isMeasured ? sum(out.map((each) => each.throughputBps)) : null;
    const { routerId: id, routerName: name } = first;
    return [{ key, column: "router", kind: "router", id, name, throughputBps, dropsPerSecond: null, state }];
  });
  return { parts, edges };
}

const client = { column: "client", id: null, dropsPerSecond: null, state: "none" } as const;

function allClients(replicas: readonly FlowPart[]): Joined {
  if (replicas.length === 0) return { parts: [], edges: [] };
  const edges = replicas.map(({ key, throughputBps }) => ({ from: clientsKey, to: key, throughputBps }));
  const throughputBps = sum(edges.map((each) => each.throughputBps));
  return { parts: [{ ...client, key: clientsKey, kind: "clients", name: "", throughputBps }], edges };
}

/** joinNetworks returns the networks that send the most, all others as one, and what replicas without a sample measured. */
function joinNetworks(replicas: readonly FlowPart[], samples: readonly ClientSample[]): Joined {
  const flows = samples.flatMap(({ nodeId, networks, otherBps }) => [
    ...networks.map(({ prefix, throughputBps }) => ({ prefix, nodeId, throughputBps })),
    ...(otherBps > 0 ? [{ prefix: "", nodeId, throughputBps: otherBps }] : []),
  ]);
  const totals = [...Map.groupBy(flows, (each) => each.prefix)]
    .filter(([prefix]) => prefix !== "")
    .map(([prefix, own]) => ({ prefix, throughputBps: sum(own.map((each) => each.throughputBps)) ?? 0 }))
    .sort((a, b) => b.throughputBps - a.throughputBps || (a.prefix < b.prefix ? -1 : 1))
    .slice(0, mostNetworks);
  const shown = new Set(totals.map((each) => each.prefix));
  const parts = totals.map(({ prefix, throughputBps }): FlowPart => {
    return { ...client, key: networkKey(prefix), kind: "network", name: prefix, throughputBps };
  });
  const others = flows.filter((each) => !shown.has(each.prefix));
  const otherBps = sum(others.map((each) => each.throughputBps));
  if (others.length > 0)
    parts.push({ ...client, key: otherKey, kind: "other-networks", name: "", throughputBps: otherBps });
  const unsampled = unsampledOf(replicas, flows);
  const unsampledBps = sumOfAll(unsampled.map((each) => each.throughputBps));
  if (unsampled.length > 0)
    parts.push({ ...client, key: notSampledKey, kind: "not-sampled", name: "", throughputBps: unsampledBps });
  const edges = flows.map(({ prefix, nodeId, throughputBps }) => ({
    from: shown.has(prefix) ? networkKey(prefix) : otherKey,
    to: replicaKey(nodeId),
    throughputBps,
  }));
  return { parts, edges: [...edges, ...unsampled] };
}

/** A smaller difference between measured and sampled traffic is an error of sampling. */
const samplingError = 0.1;

/** unsampledOf returns the traffic of each replica that no sample covers: a node may carry exposures without sampling. */
function unsampledOf(
  replicas: readonly FlowPart[],
  flows: readonly { nodeId: string; throughputBps: number }[],
): FlowLink[] {
  const sampled = Map.groupBy(flows, (each) => replicaKey(each.nodeId));
  return replicas.flatMap(({ key, throughputBps }): FlowLink[] => {
    const own = sum((sampled.get(key) ?? []).map((each) => each.throughputBps)) ?? 0;
    if (throughputBps === null) return own > 0 ? [] : [{ from: notSampledKey, to: key, throughputBps }];
    const left = throughputBps - own;
    return left > samplingError * throughputBps ? [{ from: notSampledKey, to: key, throughputBps: left }] : [];
  });
}
