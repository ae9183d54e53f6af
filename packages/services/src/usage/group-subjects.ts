import type { Subject } from "./subjects.sql.ts";

/** Group is the load balancers of one line of an answer. */
export type Group = { id: string | null; name: string; subjects: Subject[] };

/** groupSubjects groups the subjects as requested. Those without the label are a group of their own, without id. */
export function groupSubjects(
  subjects: readonly Subject[],
  groupBy: string,
  organization: { id: string; name: string },
): Group[] {
  const groups = new Map<string | null, Group>();
  for (const subject of subjects) {
    const { id, name } = keyOf(subject, groupBy, organization);
    const group = groups.get(id);
    if (group) group.subjects.push(subject);
    else groups.set(id, { id, name, subjects: [subject] });
  }
  return [...groups.values()];
}

const label = "label:";

function keyOf(
  { clusterId, exposureId, loadBalancerId, facts }: Subject,
  groupBy: string,
  organization: { id: string; name: string },
): Pick<Group, "id" | "name"> {
  if (groupBy.startsWith(label)) {
    const key = groupBy.slice(label.length);
    const value = Object.hasOwn(facts.labels, key) ? facts.labels[key] : undefined;
    return value === undefined ? { id: null, name: `without ${key}` } : { id: value, name: value };
  }
  switch (groupBy) {
    case "cluster":
      return { id: clusterId, name: facts.clusterName };
    case "exposure":
      return { id: exposureId, name: facts.exposureName };
    case "loadBalancer":
      return { id: loadBalancerId, name: facts.name };
    default:
      return organization;
  }
}
