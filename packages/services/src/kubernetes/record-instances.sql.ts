import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { byInstances } from "@fairlead/domain/exposure";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { markManyDirty } from "../control/mark-dirty.sql.ts";
import { type SelectedBy, selectExposing } from "../instance/select-exposing.sql.ts";

export type SeenInstances = {
  cluster: { id: string; organizationId: string };
  changed: readonly ReportedInstance[];
  gone: readonly string[];
};

/**
 * recordInstances writes what was seen of a Kubernetes cluster's pods, and marks the exposures that select changed
 * ones: those that our own agents carry read them here. Stored instances that did not change stay untouched.
 */
export async function recordInstances(tx: Tx, { cluster, changed, gone }: SeenInstances, now: Date): Promise<void> {
  const before = await tx.$queryRaw<SelectedBy[]>`
    SELECT name, workload, labels FROM instance
    WHERE cluster_id = ${cluster.id} AND name = ANY(${[...gone, ...changed.map((each) => each.name)]}::text[])`;
  if (gone.length > 0)
    await tx.$executeRaw`
      DELETE FROM instance WHERE cluster_id = ${cluster.id} AND source = ${cluster.id} AND name = ANY(${gone}::text[])`;
  const written = new Set([...gone, ...(await write(tx, cluster, changed, now))]);
  await markSelecting(
    tx,
    cluster.id,
    [...before, ...changed].filter((each) => written.has(each.name)),
  );
}

/** When two controllers write the same at once, the second finds nothing to write. */
async function write(
  tx: Tx,
  cluster: SeenInstances["cluster"],
  changed: readonly ReportedInstance[],
  now: Date,
): Promise<string[]> {
  if (changed.length === 0) return [];
  // In one order, so that two controllers that write the same wait for each other instead of deadlocking.
  const sorted = [...changed].sort((a, b) => (a.name < b.name ? -1 : 1));
  const of = <T>(pick: (instance: ReportedInstance) => T) => sorted.map(pick);
  const rows = await tx.$queryRaw<{ name: string }[]>`
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
      IS DISTINCT FROM (excluded.source, excluded.workload, excluded.node_name, excluded.addresses, excluded.ready, excluded.labels, excluded.weight)
    RETURNING name`;
  return rows.map((each) => each.name);
}

/** forgetInstances deletes stored pods that a full list of their cluster no longer has. */
export async function forgetInstances(tx: Tx, clusterId: string, there: readonly string[]): Promise<void> {
  const gone = await tx.$queryRaw<SelectedBy[]>`
    DELETE FROM instance WHERE cluster_id = ${clusterId} AND source = ${clusterId} AND name <> ALL(${there}::text[])
    RETURNING name, workload, labels`;
  await markSelecting(tx, clusterId, gone);
}

/** In the transaction that writes them: an earlier reconciliation would read the old state. */
async function markSelecting(tx: Tx, clusterId: string, instances: readonly SelectedBy[]): Promise<void> {
  await markManyDirty(tx, "exposure", await selectExposing(tx, clusterId, instances, byInstances), {
    urgent: true,
    patient: true,
  });
}
