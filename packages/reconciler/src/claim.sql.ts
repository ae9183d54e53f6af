import type { Tx } from "@fairlead/db";
import type { TaskKind } from "@fairlead/services";
import type { ClaimedTask } from "./task.ts";

export type ClaimOptions = { kinds: readonly TaskKind[]; limit: number; leaseMs: number };

/**
 * claimTasks takes the objects that wait longest, each for one controller at a time. A claim counts as an attempt
 * and puts the object behind the others until its lease would end: one that brings its controller down again and
 * again comes back ever later. At random, so that those who only stood beside it come back apart from it.
 */
export async function claimTasks(tx: Tx, { kinds, limit, leaseMs }: ClaimOptions): Promise<ClaimedTask[]> {
  return tx.$queryRaw<ClaimedTask[]>`
    UPDATE reconcile_task AS task
    SET lease = gen_random_uuid(),
        leased_until = now() + ${leaseMs} * interval '1 millisecond',
        due_at = now() + ${leaseMs} * interval '1 millisecond' + (power(2, least(attempts, 8)) - 1) * random() * interval '1 second',
        attempts = attempts + 1
    FROM (
      SELECT kind, object_id FROM reconcile_task
      WHERE due_at <= now() AND NOT resting AND (leased_until IS NULL OR leased_until < now()) AND kind = ANY(${[...kinds]}::text[])
      ORDER BY due_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE task.kind = due.kind AND task.object_id = due.object_id
    RETURNING task.kind, task.object_id AS "objectId", task.lease::text AS lease, task.requests, task.attempts`;
}
