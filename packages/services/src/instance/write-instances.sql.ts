import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { ReportedInstance } from "@fairlead/domain/instance";

export type ObservedInstances = {
  organizationId: string;
  clusterId: string;
  /** The agent or the Kubernetes cluster that has observed them. */
  source: string;
  instances: readonly ReportedInstance[];
};

/**
 * writeInstances creates and changes instances, and returns the names of those that were not stored like this yet: when
 * two controllers write the same at once, the second finds nothing to write.
 */
export async function writeInstances(
  tx: Tx,
  { organizationId, clusterId, source, instances }: ObservedInstances,
  now: Date,
): Promise<string[]> {
  if (instances.length === 0) return [];
  // In one order, so that two controllers that write the same wait for each other instead of deadlocking.
  const sorted = [...instances].sort((a, b) => (a.name < b.name ? -1 : 1));
  const of = <T>(pick: (instance: ReportedInstance) => T) => sorted.map(pick);
  const rows = await tx.$queryRaw<{ name: string }[]>`
    INSERT INTO instance (organization_id, cluster_id, source, changed_at, id, name, workload, node_name, addresses, ready, labels, weight)
    SELECT ${organizationId}, ${clusterId}, ${source}, ${now}::timestamptz, id, name, workload, node_name,
      string_to_array(addresses, ' ')::inet[], ready, labels, weight FROM unnest(
      ${of(() => newId("instance", now))}::text[], ${of((i) => i.name)}::text[], ${of((i) => i.workload)}::text[],
      ${of((i) => i.nodeName)}::text[], ${of((i) => i.addresses.join(" "))}::text[], ${of((i) => i.ready)}::boolean[],
      ${of((i) => JSON.stringify(i.labels))}::jsonb[], ${of((i) => i.weight)}::int[])
      AS i (id, name, workload, node_name, addresses, ready, labels, weight)
    ON CONFLICT (cluster_id, name) DO UPDATE SET source = excluded.source, changed_at = excluded.changed_at,
      workload = excluded.workload, node_name = excluded.node_name, addresses = excluded.addresses, ready = excluded.ready,
      labels = excluded.labels, weight = excluded.weight
    WHERE (instance.source, instance.workload, instance.node_name, instance.addresses, instance.ready, instance.labels, instance.weight)
      IS DISTINCT FROM (excluded.source, excluded.workload, excluded.node_name, excluded.addresses, excluded.ready, excluded.labels, excluded.weight)
    RETURNING name`;
  return rows.map((each) => each.name);
}
