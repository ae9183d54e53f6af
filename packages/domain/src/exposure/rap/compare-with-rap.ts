import type { AdaptiveNode, AdaptiveRoute } from "../adaptive-detail.ts";
import { decideRap, type RapNode, rapRules } from "./decide-rap.ts";
import type {
  MeasuredResources,
  NodeResources,
  RapBaseline,
  RapNodeSeen,
  ResourceMetrics,
} from "./resource-metrics.ts";

type Entry = Pick<AdaptiveNode, "nodeId" | "nodeName" | "peers">;
type Route = Pick<AdaptiveRoute, "port" | "protocol" | "toNodeId" | "requestsPerSecond" | "serviceMs">;

export type CompareWithRap = {
  nodes: readonly Entry[];
  routes: readonly Route[];
  /** null before the first read. */
  metrics: ResourceMetrics | null;
  now: Date;
};

/** How many are returned. */
const mostNodes = 500;
/** metrics-server reads kubelets every 15 seconds, or as it is set: older figures mean that it doesn't reach one. */
const oldAfterMs = 120_000;
/** The control plane reads it every 10 seconds. */
const unreadAfterMs = 60_000;

/** compareWithRap returns what metrics-server measures on each node, what its agent measures, and what RAP would do. */
export function compareWithRap({ nodes, routes, metrics, now }: CompareWithRap): RapBaseline {
  const problem = problemOf(metrics, now);
  const byName = new Map(metrics?.nodes.map((each) => [each.nodeName, each]));
  const shown = nodes.slice(0, mostNodes);
  const trips = shown.map(({ peers }) => new Map(peers.map((each) => [each.nodeId, each.roundTripMs])));
  const longestMs = Math.max(0, ...trips.flatMap((each) => [...each.values()].map((trip) => trip ?? 0)));
  const used = shown.map(({ nodeName }) => usedBy(byName.get(nodeName), now));
  return {
    problem,
    readAt: metrics?.readAt ?? null,
    thresholdPercent: rapRules.thresholdPercent,
    nodes: shown.map(({ nodeId, nodeName }, index) => {
      const resources = byName.get(nodeName);
      const undecided = problem === "" ? whyUndecided(resources, used[index] ?? null, now) : problem;
      const seen: RapNode[] = shown.map((each, other) => ({
        used: used[other] ?? null,
        roundTripMs: other === index ? 0 : (trips[index]?.get(each.nodeId) ?? null),
      }));
      return {
        ...{ nodeId, nodeName },
        node: resources?.node ?? null,
        instanceCount: resources?.instanceCount ?? 0,
        instances: resources?.instances ?? null,
        measuredCores: measuredCores(routes, nodeId),
        ...(undecided === "" ? decided(shown, decideRap(index, seen, longestMs)) : unknown),
        undecided,
      };
    }),
  };
}

const unknown = { isOverloaded: null, sendsToNodeId: null, sendsToNodeName: null };

function decided(
  nodes: readonly Entry[],
  { isOverloaded, sendsTo }: ReturnType<typeof decideRap>,
): Pick<RapNodeSeen, "isOverloaded" | "sendsToNodeId" | "sendsToNodeName"> {
  const to = nodes[sendsTo];
  return { isOverloaded, sendsToNodeId: to?.nodeId ?? null, sendsToNodeName: to?.nodeName ?? null };
}

function problemOf(metrics: ResourceMetrics | null, now: Date): string {
  if (!metrics)
    return "metrics.k8s.io of the cluster was not read yet. That takes a few seconds while a controller runs.";
  if (metrics.problem !== "") return metrics.problem;
  if (now.getTime() - metrics.readAt.getTime() > unreadAfterMs)
    return "metrics.k8s.io of the cluster is not being read. Check that a controller runs, and reaches the cluster.";
  return "";
}

/** usedBy returns the shares by which RAP compares; null without instances or current figures. */
function usedBy(resources: NodeResources | undefined, now: Date): RapNode["used"] {
  const instances = resources?.instances;
  if (!instances || isOld(instances, now)) return null;
  const { cpuCores, cpuCapacityCores, memoryBytes, memoryCapacityBytes } = instances;
  if (!cpuCapacityCores || !memoryCapacityBytes) return null;
  return { cpu: cpuCores / cpuCapacityCores, memory: memoryBytes / memoryCapacityBytes };
}

/** A node without instances can be decided: RAP sends all requests elsewhere. */
function whyUndecided(resources: NodeResources | undefined, used: RapNode["used"], now: Date): string {
  if (used || !resources || resources.instanceCount === 0) return "";
  if (!resources.instances) return "metrics-server has no figures of its instances yet.";
  if (isOld(resources.instances, now))
    return "Its figures are older than two minutes: metrics-server does not reach its kubelet.";
  return "Neither the instances nor the node report what they may use.";
}

function isOld({ measuredAt }: MeasuredResources, now: Date): boolean {
  return now.getTime() - measuredAt.getTime() > oldAfterMs;
}

/** measuredCores adds up the ports. All entries report the same of a serving node, so one route for each port counts. */
function measuredCores(routes: readonly Route[], nodeId: string): number | null {
  const ports = new Map<string, number>();
  for (const { port, protocol, toNodeId, requestsPerSecond, serviceMs } of routes)
    if (toNodeId === nodeId && requestsPerSecond !== null && serviceMs !== null)
      ports.set(`${port}/${protocol}`, (requestsPerSecond * serviceMs) / 1_000);
  return ports.size === 0 ? null : [...ports.values()].reduce((sum, each) => sum + each, 0);
}
