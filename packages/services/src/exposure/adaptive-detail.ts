import type { Tx } from "@fairlead/db";
import {
  type AdaptiveDetail,
  type AdaptiveNode,
  type AdaptiveRoute,
  adaptiveAgentCure,
  compareWithRap,
  describeAdaptive,
  type Exposure,
} from "@fairlead/domain/exposure";
import { findMetrics } from "../kubernetes/resource-metrics.sql.ts";
import {
  type EntryNode,
  type StoredDecision,
  selectDecisions,
  selectEntryNodes,
  selectNodeNames,
} from "./adaptive.sql.ts";

/** loadAdaptive returns how an exposure distributes connections; null for another strategy. */
export async function loadAdaptive(
  tx: Tx,
  { id, strategy, clusterId }: Exposure,
  loadBalancerIds: readonly string[],
  now: Date,
): Promise<AdaptiveDetail | null> {
  if (strategy.type !== "adaptive") return null;
  const [entries, decisions, names, access, metrics] = await Promise.all([
    selectEntryNodes(tx, clusterId, loadBalancerIds),
    selectDecisions(tx, loadBalancerIds),
    selectNodeNames(tx, clusterId),
    tx.kubernetesAccess.findUnique({ where: { clusterId }, select: { clusterId: true } }),
    findMetrics(tx, id),
  ]);
  const nameOf = (nodeId: string) => names.get(nodeId) ?? nodeId;
  const nodes = withFewPeers(entries.map(toNode));
  const routes = entries.flatMap((each) => routesFrom(each, nameOf));
  return {
    message: describeAdaptive(nodes),
    nodes,
    routes: usedFirst(routes).slice(0, mostPairs),
    decisions: decisions.map((each) => withNames(each, nameOf)),
    rap: access && compareWithRap({ nodes, routes, metrics, now }),
  };
}

/** How many routes are returned, and how many peers of all nodes: all of 63 nodes with instances. */
const mostPairs = 4_000;

/** withFewPeers keeps equally many peers of each node, those without figures first. */
function withFewPeers(nodes: readonly AdaptiveNode[]): AdaptiveNode[] {
  const all = nodes.reduce((sum, each) => sum + each.peers.length, 0);
  if (all <= mostPairs) return [...nodes];
  const most = Math.floor(mostPairs / nodes.length);
  return nodes.map((each) => ({
    ...each,
    peers: each.peers.toSorted((a, b) => Number(a.isExchanging) - Number(b.isExchanging)).slice(0, most),
  }));
}

/** usedFirst keeps the order otherwise. */
function usedFirst(routes: readonly AdaptiveRoute[]): AdaptiveRoute[] {
  if (routes.length <= mostPairs) return [...routes];
  return routes.toSorted((a, b) => Number(b.share > 0 || b.open > 0) - Number(a.share > 0 || a.open > 0));
}

function toNode(entry: EntryNode): AdaptiveNode {
  const { nodeId, nodeName, replicaId, loadBalancerId, balancerIds, cores, throttledRatio, peers, services } = entry;
  return {
    ...{ nodeId, nodeName, replicaId, loadBalancerId, balancerIds, cores, throttledRatio, peers },
    observedAt: entry.observedAt,
    problem: problemOf(entry),
    localShare: localShareOf(entry),
    refused: services.reduce((sum, each) => sum + each.refused, 0),
  };
}

function problemOf(entry: EntryNode): string {
  const { clusterKind, hasAgent, isReporting, roleProblem, replicaId, ready, message } = entry;
  if (!hasAgent) {
    const balancer = entry.balancerIds.length > 0 ? "its balancer places connections by weight, and " : "";
    return `It has no agent of the role adaptive, so ${balancer}clients there don't reach the address. ${adaptiveAgentCure(clusterKind, "node")}`;
  }
  if (!isReporting) return "Its agent is silent. The kernel distributes connections by its last configuration.";
  if (roleProblem) return roleProblem;
  if (replicaId === null || ready === null) return "Its agent doesn't carry it yet.";
  return message ?? "";
}

/** localShareOf is the mean over the ports with new connections. */
function localShareOf({ nodeId, services }: EntryNode): number | null {
  const used = services.filter((each) => each.nodes.some((node) => node.share > 0));
  const local = used.map((each) => each.nodes.find((node) => node.nodeId === nodeId)?.share ?? 0);
  return local.length > 0 ? local.reduce((sum, each) => sum + each, 0) / local.length : null;
}

function routesFrom(
  { nodeId: fromNodeId, nodeName, loadBalancerId, peers, services }: EntryNode,
  nameOf: (nodeId: string) => string,
): AdaptiveRoute[] {
  if (loadBalancerId === null) return [];
  const trips = new Map(peers.map((each) => [each.nodeId, each.roundTripMs]));
  return services.flatMap(({ port, protocol, nodes }) =>
    nodes.map(({ nodeId: toNodeId, entered = 0, enteredOpen = 0, ...figures }) => ({
      ...{ loadBalancerId, port, protocol, fromNodeId, fromNodeName: nodeName, toNodeId, toNodeName: nameOf(toNodeId) },
      roundTripMs: toNodeId === fromNodeId ? 0 : (trips.get(toNodeId) ?? null),
      ...{ ...figures, entered, enteredOpen },
    })),
  );
}

function withNames({ candidates, ...decision }: StoredDecision, nameOf: (nodeId: string) => string) {
  return {
    ...decision,
    fromNodeName: nameOf(decision.fromNodeId),
    toNodeName: nameOf(decision.toNodeId),
    candidates: candidates.map((each) => ({ ...each, nodeName: nameOf(each.nodeId) })),
  };
}
