import type { Tx } from "@fairlead/db";
import type { ClaimedTask } from "./task.ts";

/** "lost" when another controller had the lease, and nothing was written. */
export type Finished = "finished" | "lost";

export type Finish = {
  delayMs: number;
  /** Why it failed; then the attempts stay counted. */
  error?: string;
  /** Don't retry before the object is marked. */
  rest?: boolean;
};

const longestError = 2_000;

/**
 * finishTask releases an object. If it was marked meanwhile, it is due now; a user's mark resets the attempts, so it
 * is due now even if this attempt failed.
 */
export async function finishTask(tx: Tx, task: ClaimedTask, finish: Finish): Promise<Finished> {
  const error = finish.error?.slice(0, longestError) ?? null;
  const count = await tx.$executeRaw`
    UPDATE reconcile_task
    SET lease = NULL, leased_until = NULL, last_error = ${error},
        attempts = CASE WHEN ${error}::text IS NULL THEN 0 ELSE attempts END,
        resting = ${finish.rest ?? false} AND requests = ${task.requests},
        due_at = CASE WHEN requests = ${task.requests} OR (${error}::text IS NOT NULL AND attempts > 0) THEN now() + ${finish.delayMs}::float8 * interval '1 millisecond' ELSE now() END
    WHERE kind = ${task.kind} AND object_id = ${task.objectId} AND lease = ${task.lease}::uuid`;
  return count > 0 ? "finished" : "lost";
}

/** forgetTask drops the task of a deleted object, unless it was marked meanwhile. */
export async function forgetTask(tx: Tx, task: ClaimedTask): Promise<Finished> {
  const count = await tx.$executeRaw`
    DELETE FROM reconcile_task
    WHERE kind = ${task.kind} AND object_id = ${task.objectId} AND lease = ${task.lease}::uuid AND requests = ${task.requests}`;
  return count > 0 ? "finished" : finishTask(tx, task, { delayMs: 0 });
}
