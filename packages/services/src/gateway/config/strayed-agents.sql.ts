import type { Tx } from "@fairlead/db";
import { markManyDirty } from "../../control/mark-dirty.sql.ts";

/** Held is what an agent has shown to have: a revision, and the digest of the config that it runs under that number. */
export type Held = { agentId: string; nodeId: string; revision: number; digest: string };

/**
 * hasStrayed says that an agent has what we never gave it. A database restored from a backup makes it so: the agent
 * is ahead of what we remember, or what we stored since has a number that it uses for another config.
 */
export function hasStrayed(held: Pick<Held, "revision" | "digest">, newest: { revision: number; digest: string }) {
  if (held.revision !== newest.revision) return held.revision > newest.revision;
  return held.revision > 0 && held.digest !== "" && held.digest !== newest.digest;
}

/** recoverStrayed has the nodes of these agents compiled again, with numbers past those that their agents hold. */
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
