import type { Cluster } from "@fairlead/domain";

/** describeCluster says in a sentence how a cluster stands. */
export function describeCluster({ nodeCount, silentNodeCount, exposureCount }: Cluster): string {
  return `${describeNodes(nodeCount, silentNodeCount)} ${describeExposures(exposureCount)}`;
}

function describeNodes(nodes: number, silent: number): string {
  if (nodes === 0) return "It has no nodes yet.";
  if (silent === 0) return nodes === 1 ? "Its one node is not silent." : `None of its ${nodes} nodes is silent.`;
  if (silent === nodes) return nodes === 1 ? "Its one node is silent." : `All of its ${nodes} nodes are silent.`;
  return `${silent} of its ${nodes} nodes ${silent === 1 ? "is" : "are"} silent.`;
}

function describeExposures(count: number): string {
  if (count === 0) return "Nothing is exposed from it.";
  return count === 1 ? "One workload is exposed from it." : `${count} workloads are exposed from it.`;
}
