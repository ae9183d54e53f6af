import type { AdaptiveNode } from "./adaptive-detail.ts";

/** describeAdaptive says in one sentence on which nodes connections are distributed, and why not on all. */
export function describeAdaptive(nodes: readonly Pick<AdaptiveNode, "nodeName" | "replicaId" | "problem">[]): string {
  const hindered = nodes.filter((each) => each.problem !== "");
  const [first] = hindered.sort((a, b) => Number(a.replicaId === null) - Number(b.replicaId === null));
  const able = nodes.length - hindered.length;
  const where = `${able} of ${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}`;
  if (!first) return nodes.length === 0 ? "The cluster has no nodes yet." : `Distributes connections on ${where}.`;
  return `Distributes connections on ${where}. ${first.nodeName}: ${first.problem}`;
}
