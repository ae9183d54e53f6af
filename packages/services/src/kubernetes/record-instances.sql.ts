import type { Tx } from "@fairlead/db";
import { newId, type ReportedInstance } from "@fairlead/domain";

export type SeenInstances = {
  cluster: { id: string; organizationId: string };
  changed: readonly ReportedInstance[];
  gone: readonly string[];
};

/** recordInstances writes what was seen of a Kubernetes cluster's pods. What is stored already stays as it is. */
export async function recordInstances(tx: Tx, { cluster, changed, gone }: SeenInstances, now: Date): Promise<void> {
  if (gone.length > 0)
    await tx.$executeRaw`
      DELETE FROM instance WHERE cluster_id = ${cluster.id} AND source = ${cluster.id} AND name = ANY(${gone}::text[])`;
  if (changed.length === 0) return;
  // In one order, so that two controllers that write the same wait for each other and never lock crosswise.
  const sorted = [...changed].sort((a, b) => (a.name < b.name ? -1 : 1));
  const of = <T>(pick: (instance: ReportedInstance) => T) => sorted.map(pick);
  await tx.$executeRaw`
    INSERT INTO instance (organization_id, cluster_id, source, changed_at, id, name, workload, node_name, addresses, ready, labels, weight)
    SELECT ${cluster.organizationId}, ${cluster.id}, ${cluster.id}, ${now}::timestamptz, id, name, workload, node_name,
      string_to_array(addresses, ' ')::inet[], ready, labels, weight FROM unnest(
      ${of(() => newId("instance", now))}::text[], ${of((i) => i.name)}::text[], ${of((i) => i.workload)}::text[],
      ${of((i) => i.nodeName)}::text[], ${of((i) => i.addresses.join(" "))}::text[], ${of((i) => i.ready)}::boolean[],
      ${of((i) => JSON.stringify(i.labels))}::jsonb[], ${of((i) => i.weight)}::int[])
      AS i (id, name, workload, node_name, addresses, ready, labels, weight)
    ON CONFLICT (cluster_id, name) DO UPDATE SET source = excluded.source, changed_at = excluded.changed_at,
      workload = excluded.workload, node_name = excluded.node_name, addresses = excluded.addresses, ready = excluded.ready,
      labels = excluded.labels, weight = excluded.weight
    WHERE (instance.source, instance.workload, instance.node_name, instance.addresses, instance.ready, instance.labels, instance.weight)
      IS DISTINCT FROM (excluded.source, excluded.workload, excluded.node_name, excluded.addresses, excluded.ready, excluded.labels, excluded.weight)`;
}

/** forgetInstances takes away what was stored of pods that a whole look at their cluster no longer has. */
export async function forgetInstances(tx: Tx, clusterId: string, there: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM instance WHERE cluster_id = ${clusterId} AND source = ${clusterId} AND name <> ALL(${there}::text[])`;
}
