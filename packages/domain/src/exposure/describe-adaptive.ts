import type { ClusterKind } from "../cluster/cluster.ts";
import type { AdaptiveNode } from "./adaptive-detail.ts";

/**
 * adaptiveAgentCure states in a sentence how a node, or each node of a cluster, gets the missing agent. A lab has its agents by
 * its topology.
 */
export function adaptiveAgentCure(kind: ClusterKind, where: "node" | "cluster"): string {
  if (kind === "lab")
    return "Set the field adaptive of nodes in the lab's topology. If it is set, the command fairlead-agent lab status shows what the machine lacks.";
  return where === "node" ? "Add one." : "Add one to each node from which clients connect.";
}

/** describeAdaptive says in one sentence on which nodes connections are distributed, and why not on all. */
export function describeAdaptive(nodes: readonly Pick<AdaptiveNode, "nodeName" | "replicaId" | "problem">[]): string {
  const hindered = nodes.filter((each) => each.problem !== "");
  const [first] = hindered.sort((a, b) => Number(a.replicaId === null) - Number(b.replicaId === null));
  const able = nodes.length - hindered.length;
  const where = `${able} of ${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}`;
  if (!first) return nodes.length === 0 ? "The cluster has no nodes yet." : `Distributes connections on ${where}.`;
  return `Distributes connections on ${where}. ${first.nodeName}: ${first.problem}`;
}
