import type { Tx } from "@fairlead/db";
import { byInstances } from "@fairlead/domain/exposure";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { markClientPrefixes } from "../control/mark-client-prefixes.sql.ts";
import { markManyDirty } from "../control/mark-dirty.sql.ts";
import { type SelectedBy, selectExposing } from "../instance/select-exposing.sql.ts";
import { writeInstances } from "../instance/write-instances.sql.ts";

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
  const { id: clusterId, organizationId } = cluster;
  const observed = { organizationId, clusterId, source: clusterId, instances: changed };
  const written = new Set([...gone, ...(await writeInstances(tx, observed, now))]);
  await markSelecting(
    tx,
    cluster.id,
    [...before, ...changed].filter((each) => written.has(each.name)),
  );
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
  if (instances.length > 0) await markClientPrefixes(tx, { changed: [clusterId] });
  await markManyDirty(tx, "exposure", await selectExposing(tx, clusterId, instances, byInstances), {
    urgent: true,
    patient: true,
  });
}
