import type { Tx } from "@fairlead/db";

/** The kinds of object that the reconciler handles. */
export type TaskKind =
  | "exposure"
  | "node"
  | "cluster"
  | "experiment"
  | "move"
  | "client-prefixes"
  | "cloud-route"
  | "cloud-metrics"
  | "kubernetes";

export const taskChannel = "fairlead_task";

export type Marking = {
  /**
   * A user changed this object and waits for it, or traffic waits for an instance. Never for what a sweep, a resync or
   * a whole cluster marks.
   */
  urgent?: boolean;
  /**
   * Marks that agents cause, which may repeat endlessly: a failing object keeps its back-off, and a resting one keeps
   * resting. Never for what a user does.
   */
  patient?: boolean;
};

/**
 * markDirty requests another reconciliation of an object. It belongs in the transaction that changed the object: then
 * no change is missed and no task is seen too early. The notification is only a hint.
 */
export async function markDirty(tx: Tx, kind: TaskKind, objectId: string, marking: Marking = {}): Promise<void> {
  await markManyDirty(tx, kind, [objectId], marking);
}

export async function markManyDirty(
  tx: Tx,
  kind: TaskKind,
  objectIds: string[],
  { urgent = false, patient = false }: Marking = {},
): Promise<void> {
  if (objectIds.length === 0) return;
  // Sorted, so that two transactions which mark the same objects lock them in the same order.
  const ids = [...new Set(objectIds)].sort();
  await tx.$executeRaw`
    WITH marked AS (
      INSERT INTO reconcile_task (kind, object_id, due_at, urgent)
      SELECT ${kind}, id, now(), ${urgent} FROM unnest(${ids}::text[]) AS id
      ON CONFLICT (kind, object_id) DO UPDATE
      SET requests = reconcile_task.requests + 1, urgent = reconcile_task.urgent OR excluded.urgent,
        due_at = CASE WHEN ${patient} AND reconcile_task.attempts > 0 THEN reconcile_task.due_at
          ELSE least(reconcile_task.due_at, excluded.due_at) END,
        attempts = CASE WHEN ${patient} THEN reconcile_task.attempts ELSE 0 END,
        resting = ${patient} AND reconcile_task.resting
    ) SELECT pg_notify(${taskChannel}, ${kind})`;
}
