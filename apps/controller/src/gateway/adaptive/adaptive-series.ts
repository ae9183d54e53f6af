import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { AdaptiveServiceStatus, AdaptiveStatus, ReportRequest } from "@fairlead/agent-protocol";
import type { MetricName } from "@fairlead/domain/series";
import type { AgentReport } from "@fairlead/services/gateway";

/**
 * adaptiveSeries are those that follow from the state of an agent, by load balancer: its open connections, without those that
 * balancers count, which part of the new ones stayed on its node, how many didn't, and their round trips next to those of an even choice.
 */
export function adaptiveSeries({ at, adaptive }: ReportRequest, nodeId: string): AgentReport["series"] {
  if (!at || !adaptive) return [];
  const atMs = [timestampDate(at).getTime()];
  const balancers = Map.groupBy(adaptive.services, (each) => each.loadBalancerId);
  return [...balancers].flatMap(([loadBalancer, services]) => {
    const values: Partial<Record<MetricName, number>> = {
      connectionsLive: sum(services.flatMap((each) => each.nodes.map((node) => Number(node.open - node.enteredOpen)))),
      ...localShare(services, nodeId),
      ...sentAway(services, nodeId),
      ...roundTrips(services, nodeId, adaptive.peers),
    };
    return Object.entries(values).map(([metric, value]) => ({
      ...{ metric, labels: { loadBalancer }, atMs, values: [value] },
    }));
  });
}

/** Without new connections, the local share is unknown. */
function localShare(services: readonly AdaptiveServiceStatus[], nodeId: string): { localShareRatio?: number } {
  const used = services.filter((each) => each.nodes.some((node) => node.share > 0));
  return used.length > 0 ? { localShareRatio: sum(used.map((each) => localOf(each, nodeId))) / used.length } : {};
}

function sentAway(services: readonly AdaptiveServiceStatus[], nodeId: string) {
  const rates = services.flatMap(({ connectionsPerSecond, nodes }) => {
    const others = nodes.filter((each) => each.nodeId !== nodeId);
    return connectionsPerSecond === undefined ? [] : [connectionsPerSecond * sum(others.map((each) => each.share))];
  });
  return rates.length > 0 ? { sentToOtherNodesPerSecond: sum(rates) } : {};
}

function localOf({ nodes }: AdaptiveServiceStatus, nodeId: string): number {
  return nodes.find((each) => each.nodeId === nodeId)?.share ?? 0;
}

/** roundTrips are of services for which all of them are known: a comparison with guesses would be wrong. */
function roundTrips(services: readonly AdaptiveServiceStatus[], nodeId: string, peers: AdaptiveStatus["peers"]) {
  const tripOf = new Map(peers.flatMap((each) => (each.roundTripMs > 0 ? [[each.nodeId, each.roundTripMs]] : [])));
  tripOf.set(nodeId, 0);
  const known = services.flatMap(({ connectionsPerSecond, nodes }) => {
    const used = nodes.filter((each) => each.backends > 0 || each.share > 0);
    const backends = sum(used.map((each) => each.backends));
    if (connectionsPerSecond === undefined || backends === 0 || used.some((each) => !tripOf.has(each.nodeId)))
      return [];
    const meanOf = (weightOf: (node: (typeof used)[number]) => number) =>
      sum(used.map((each) => weightOf(each) * (tripOf.get(each.nodeId) ?? 0)));
    return [
      {
        spent: connectionsPerSecond * meanOf((each) => each.share),
        even: connectionsPerSecond * meanOf((each) => each.backends / backends),
      },
    ];
  });
  if (known.length === 0) return {};
  return {
    roundTripsMsPerSecond: sum(known.map((each) => each.spent)),
    evenRoundTripsMsPerSecond: sum(known.map((each) => each.even)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
