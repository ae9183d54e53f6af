import { Prisma, type Tx } from "@fairlead/db";
import type { TaskKind } from "@fairlead/services";
import type { ClaimedTask } from "./task.ts";

export type ClaimOptions = { kinds: readonly TaskKind[]; limit: number; leaseMs: number };

/**
 * claimTasks takes the urgent objects first, then those due the longest, each for one controller at a time. A claim
 * counts as an attempt and moves the object behind the others until its lease would end: one that crashes its
 * controller again and again loses its urgency and is retried ever later. The delay is random, so that objects which
 * only ran next to it are retried apart from it. Each half walks its own index and stops at the limit. due_at is in whole
 * milliseconds, so it may be rounded up: without one more, an object that is due now would wait for the next poll.
 */
export async function claimTasks(tx: Tx, { kinds, limit, leaseMs }: ClaimOptions): Promise<ClaimedTask[]> {
  const isClaimable = Prisma.sql`due_at < now() + interval '1 millisecond' AND NOT resting AND (leased_until IS NULL OR leased_until < now())
    AND kind = ANY(${[...kinds]}::text[])`;
  return tx.$queryRaw<ClaimedTask[]>`
    WITH urgent AS MATERIALIZED (
      SELECT kind, object_id FROM reconcile_task WHERE urgent AND ${isClaimable}
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), waiting AS MATERIALIZED (
      SELECT kind, object_id FROM reconcile_task WHERE NOT urgent AND ${isClaimable}
      ORDER BY due_at LIMIT ${limit} - (SELECT count(*) FROM urgent) FOR UPDATE SKIP LOCKED
    )
    UPDATE reconcile_task AS task
    SET lease = gen_random_uuid(),
        leased_until = now() + ${leaseMs} * interval '1 millisecond',
        due_at = now() + ${leaseMs} * interval '1 millisecond' + (power(2, least(attempts, 8)) - 1) * random() * interval '1 second',
        attempts = attempts + 1,
        urgent = false
    FROM (SELECT * FROM urgent UNION ALL SELECT * FROM waiting) AS due
    WHERE task.kind = due.kind AND task.object_id = due.object_id
    RETURNING task.kind, task.object_id AS "objectId", task.lease::text AS lease, task.requests, task.attempts`;
}

/** returnTasks undoes a claim that was not acted on. */
export async function returnTasks(tx: Tx, tasks: readonly ClaimedTask[]): Promise<void> {
  const leases = tasks.map(({ lease }) => lease);
  await tx.$executeRaw`
    UPDATE reconcile_task SET lease = NULL, leased_until = NULL, due_at = now(), attempts = attempts - 1
    WHERE lease = ANY(${leases}::uuid[])`;
}
