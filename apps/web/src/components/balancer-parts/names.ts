import type { NameOf } from "../charts/balancer-lines.ts";

/** nameByReplica calls the series of one balancer by the node of the replica that speaks. It takes pairs of agent and node as JSON. */
export function nameByReplica(pairs: string): NameOf {
  const nodes = new Map(JSON.parse(pairs) as [agentId: string | null, nodeName: string | null][]);
  return ({ labels }) => {
    if (labels.agent === undefined) return "all replicas";
    return nodes.get(labels.agent) ?? "a former replica";
  };
}

/** nameBySubject calls the series of several balancers or backends by these. It takes them as JSON. */
export function nameBySubject(subjects: string): NameOf {
  const names = new Map((JSON.parse(subjects) as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
  return ({ subjectId }) => names.get(subjectId) ?? subjectId;
}
