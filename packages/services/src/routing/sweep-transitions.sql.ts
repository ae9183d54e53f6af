import type { Db } from "@fairlead/db";
import { inBatches } from "../control/in-batches.ts";

/** As long as events are kept, which have fewer details. */
export const transitionRetentionMs = 90 * 24 * 3_600_000;
/** Per cluster. */
export const mostTransitions = 100_000;

type Oldest = { clusterId: string; at: Date; id: string };

/** sweepTransitions deletes old transitions, and those over the limit of a cluster, and returns how many. */
export async function sweepTransitions(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - transitionRetentionMs);
  let dropped = 0;
  for (const { clusterId, at, id } of await selectOldest(db, before))
    dropped += await inBatches(
      (most) => db.$executeRaw`
        DELETE FROM bgp_transition WHERE id = ANY(ARRAY(
          SELECT id FROM bgp_transition WHERE cluster_id = ${clusterId} AND (at, id) < (${at}, ${id}) LIMIT ${most}))`,
    );
  return dropped;
}

/** The oldest transition that each cluster keeps, or the cut-off. */
function selectOldest(db: Db, before: Date): Promise<Oldest[]> {
  return db.$queryRaw<Oldest[]>`
    SELECT c.id AS "clusterId", coalesce(kept.at, ${before}) AS at, coalesce(kept.id, '') AS id
    FROM cluster c LEFT JOIN LATERAL (
      SELECT t.at, t.id FROM bgp_transition t WHERE t.cluster_id = c.id
      ORDER BY t.at DESC, t.id DESC OFFSET ${mostTransitions - 1} LIMIT 1
    ) AS kept ON kept.at >= ${before}
    ORDER BY c.id`;
}
