import type { Tx } from "@fairlead/db";
import { markManyDirty } from "../../control/mark-dirty.sql.ts";

/** Held is what an agent reports: a revision, and the digest of the config that it runs under that number. */
export type Held = { agentId: string; nodeId: string; revision: number; digest: string };

/**
 * hasStrayed reports that an agent has a config that we never gave it. That happens after a database is restored from a
 * backup: the agent is ahead of the database, or a revision stored since has the number of another config it runs.
 */
export function hasStrayed(held: Pick<Held, "revision" | "digest">, newest: { revision: number; digest: string }) {
  if (held.revision !== newest.revision) return held.revision > newest.revision;
  return held.revision > 0 && held.digest !== "" && held.digest !== newest.digest;
}

/** recoverStrayed has the configs of these agents compiled again, with revisions past those that the agents hold. */
export async function recoverStrayed(tx: Tx, strayed: readonly Held[]): Promise<void> {
  if (strayed.length === 0) return;
  const sorted = [...strayed].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
  await tx.$executeRaw`
    UPDATE agent SET held_revision = greatest(held_revision, held.revision)
    FROM unnest(${sorted.map((each) => each.agentId)}::text[], ${sorted.map((each) => each.revision)}::int4[]) AS held (agent_id, revision)
    WHERE agent.id = held.agent_id`;
  await markManyDirty(
    tx,
    "node",
    sorted.map((each) => each.nodeId),
    { patient: true },
  );
}
