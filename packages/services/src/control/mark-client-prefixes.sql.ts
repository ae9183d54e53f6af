import type { Tx } from "@fairlead/db";
import { markManyDirty } from "./mark-dirty.sql.ts";

/**
 * markClientPrefixes marks the plan of clusters whose instances changed, and of those in which an agent of the role
 * adaptive has another address. The latter creates the plan's task: clusters without such agents have none. Mark
 * exposures and nodes after that, because the reconciler marks nodes while it holds the plan's task.
 */
export async function markClientPrefixes(
  tx: Tx,
  { changed, moved = [] }: { changed: readonly string[]; moved?: readonly string[] },
): Promise<void> {
  if (changed.length + moved.length === 0) return;
  const planned = await tx.$queryRaw<{ id: string }[]>`
    SELECT object_id AS id FROM reconcile_task WHERE kind = 'client-prefixes' AND object_id = ANY(${[...new Set(changed)]}::text[])`;
  await markManyDirty(tx, "client-prefixes", [...planned.map((each) => each.id), ...moved], { patient: true });
}
