import type { NameOf } from "../../charts/balancer/balancer-lines.ts";

/**
 * nameByReplica names the series of a balancer after the node of its replica. It takes pairs of agent and node as JSON.
 */
export function nameByReplica(pairs: string): NameOf {
  const nodes = new Map(JSON.parse(pairs) as [agentId: string | null, nodeName: string | null][]);
  return ({ labels }) => {
    if (labels.agent === undefined) return "all replicas";
    return nodes.get(labels.agent) ?? "a former replica";
  };
}

/** nameBySubject names the series of several balancers or backends after them. It takes the names as JSON. */
export function nameBySubject(subjects: string): NameOf {
  const names = new Map((JSON.parse(subjects) as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
  return ({ subjectId }) => names.get(subjectId) ?? subjectId;
}
