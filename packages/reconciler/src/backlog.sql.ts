import type { Db } from "@fairlead/db";

export type Backlog = { due: number; oldestDueSeconds: number; resting: number; agentsOutOfSync: number };

const none: Backlog = { due: 0, oldestDueSeconds: 0, resting: 0, agentsOutOfSync: 0 };

/** readBacklog counts what waits to be reconciled. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const [row] = await db.$queryRaw<Backlog[]>`
    SELECT
      (SELECT count(*)::int FROM reconcile_task WHERE due_at <= now() AND NOT resting) AS due,
      (SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 FROM reconcile_task
        WHERE due_at <= now() AND NOT resting) AS "oldestDueSeconds",
      (SELECT count(*)::int FROM reconcile_task WHERE resting) AS resting,
      (SELECT count(*)::int FROM node_config c JOIN node_status s ON s.agent_id = c.agent_id
        JOIN agent a ON a.id = c.agent_id
        WHERE a.revoked_at IS NULL AND s.silent_since IS NULL AND (c.revision <> s.observed_revision OR s.observed_digest NOT IN ('', c.digest))
          AND c.compiled_at < now() - interval '1 minute') AS "agentsOutOfSync"`;
  return row ?? none;
}
