import { exposureLookedAtEveryMs } from "@fairlead/domain";
import type pg from "pg";

/**
 * writeTasks lets the reconciler come to the invented objects one by one, as to a fleet that grew over time. Without
 * tasks it would take them for lost ones and look at a thousand of them at once.
 */
export async function writeTasks(client: pg.Client, kind: "exposure" | "node", ids: string[]): Promise<void> {
  await client.query(
    `INSERT INTO reconcile_task (kind, object_id, due_at)
     SELECT $1, id, now() + random() * $3 * interval '1 millisecond' FROM unnest($2::text[]) AS id
     ON CONFLICT DO NOTHING`,
    [kind, ids, exposureLookedAtEveryMs],
  );
}
