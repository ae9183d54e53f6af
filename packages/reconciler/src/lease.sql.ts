import type { Tx } from "@fairlead/db";
import { type ClaimedTask, LeaseLost } from "./task.ts";

/** renewLease extends our lease of an object; false when it is no longer ours. */
export async function renewLease(tx: Tx, task: ClaimedTask, leaseMs: number): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE reconcile_task SET leased_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE kind = ${task.kind} AND object_id = ${task.objectId} AND lease = ${task.lease}::uuid`;
  return count > 0;
}

/**
 * holdLease fails a transaction that writes observed state unless the lease is still ours, and keeps other controllers
 * from claiming the object until it commits. Lock the object's own row first, as verbs do.
 */
export async function holdLease(tx: Tx, task: ClaimedTask): Promise<void> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT 1 FROM reconcile_task
    WHERE kind = ${task.kind} AND object_id = ${task.objectId} AND lease = ${task.lease}::uuid FOR UPDATE`;
  if (rows.length === 0) throw new LeaseLost("another controller took the object over");
}
