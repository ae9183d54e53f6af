import type pg from "pg";

/**
 * writeTasks spreads the first reconciliation of the generated objects over time, like in a fleet that grew gradually. Without
 * tasks the controller would treat them as lost objects and reconcile a thousand of them at once.
 */
export async function writeTasks(
  client: pg.Client,
  kind: "exposure" | "node",
  ids: string[],
  withinMinutes: number,
): Promise<void> {
  await client.query(
    `INSERT INTO reconcile_task (kind, object_id, due_at)
     SELECT $1, id, now() + random() * $3 * interval '1 minute' FROM unnest($2::text[]) AS id
     ON CONFLICT DO NOTHING`,
    [kind, ids, withinMinutes],
  );
}
