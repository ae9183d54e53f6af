import type { Cluster } from "@fairlead/domain/cluster";

/** describeCluster summarises the state of a cluster in one sentence. */
export function describeCluster({ nodeCount, silentNodeCount, exposureCount }: Cluster): string {
  return `${describeNodes(nodeCount, silentNodeCount)} ${describeExposures(exposureCount)}`;
}

/** describeNodes returns how many nodes of a cluster are silent, in words. */
export function describeNodes(nodes: number, silent: number): string {
  if (nodes === 0) return "No nodes yet.";
  if (silent === 0) return "No node is silent.";
  if (silent === nodes) return nodes === 1 ? "Its only node is silent." : `All ${nodes} nodes are silent.`;
  return `${silent} of ${nodes} nodes ${silent === 1 ? "is" : "are"} silent.`;
}

function describeExposures(count: number): string {
  if (count === 0) return "No workload is exposed.";
  return count === 1 ? "One workload is exposed." : `${count} workloads are exposed.`;
}
