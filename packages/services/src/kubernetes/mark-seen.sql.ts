import type { Tx } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import { byInstances } from "@fairlead/domain/exposure";
import { markManyDirty } from "../control/mark-dirty.sql.ts";

/** SeenObject is an object of a Kubernetes cluster that changed in a way that matters to selectors. */
export type SeenObject = {
  namespace: string;
  /** Of the workload that it is, or belongs to; empty if none of the known kinds. */
  kind: string;
  name: string;
  labels: Record<string, string>;
};

/**
 * markSeen marks the exposures that select something that was seen to change in a cluster, except those that read its
 * stored instances: recordInstances marks these once the instances are stored.
 */
export async function markSeen(tx: Tx, clusterId: string, seen: readonly SeenObject[]): Promise<void> {
  if (seen.length === 0) return;
  // The pods of a workload are equal for a selector.
  const distinct = [...new Map(seen.map((each) => [canonicalJson(each), each])).values()];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT e.id FROM exposure_in_effect_view e WHERE e.cluster_id = ${clusterId} AND e.strategy <> ALL(${[...byInstances]}::text[]) AND EXISTS (
      SELECT 1 FROM unnest(${distinct.map((each) => each.namespace)}::text[], ${distinct.map((each) => each.kind)}::text[],
        ${distinct.map((each) => each.name)}::text[], ${distinct.map((each) => JSON.stringify(each.labels))}::jsonb[])
        AS s (namespace, kind, name, labels)
      WHERE e.workload ->> 'namespace' = s.namespace AND CASE WHEN e.workload ->> 'kind' = 'selector'
        THEN s.labels @> (e.workload -> 'selector')
        ELSE e.workload ->> 'kind' = s.kind AND e.workload ->> 'name' = s.name END)`;
  await markManyDirty(
    tx,
    "exposure",
    rows.map((each) => each.id),
    { urgent: true, patient: true },
  );
}

/** markExposures marks these exposures of a cluster, by the labels on their objects there. */
export async function markExposures(tx: Tx, clusterId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM exposure WHERE cluster_id = ${clusterId} AND id = ANY(${ids}::text[])`;
  await markManyDirty(
    tx,
    "exposure",
    rows.map((each) => each.id),
    { urgent: true, patient: true },
  );
}

/** markCluster marks all exposures of a cluster, in the usual order. */
export async function markCluster(tx: Tx, clusterId: string): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM exposure WHERE cluster_id = ${clusterId}`;
  await markManyDirty(
    tx,
    "exposure",
    rows.map((each) => each.id),
  );
}
