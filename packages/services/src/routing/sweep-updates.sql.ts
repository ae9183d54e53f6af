import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { delayBoundsMs } from "@fairlead/domain/routing";
import { inBatches } from "../control/in-batches.ts";

const dayMs = 24 * 3_600_000;
/** How long updates are kept individually, and then how long their hourly counts are kept. */
export const updateRetentionMs = { update: 7 * dayMs, delay: 2 * 365 * dayMs } as const;
/** Per cluster: a busy day must not cost more than a quiet week. */
export const mostUpdates = 20_000;

/**
 * sweepUpdates deletes old updates, adding them to their hourly counts, and deletes old hours. It returns how many
 * updates.
 */
export async function sweepUpdates(db: Db, now: Date): Promise<number> {
  let dropped = 0;
  for (const oldest of await selectOldest(db, new Date(now.getTime() - updateRetentionMs.update)))
    dropped += await inBatches((most) => dropUpdates(db, oldest, most));
  const before = new Date(now.getTime() - updateRetentionMs.delay);
  await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM route_delay WHERE ctid = ANY(ARRAY(SELECT ctid FROM route_delay WHERE hour < ${before} LIMIT ${most}))`,
  );
  return dropped;
}

/** The oldest update that a cluster keeps, or the cut-off. */
type Oldest = { clusterId: string; beganAt: Date; id: string };

/** Looked up once, by an index: batch after batch would scan everything that stays. */
function selectOldest(db: Db, before: Date): Promise<Oldest[]> {
  return db.$queryRaw<Oldest[]>`
    SELECT c.id AS "clusterId", coalesce(kept.began_at, ${before}) AS "beganAt", coalesce(kept.id, '') AS id
    FROM cluster c LEFT JOIN LATERAL (
      SELECT u.began_at, u.id FROM route_update u WHERE u.cluster_id = c.id
      ORDER BY u.began_at DESC, u.id DESC OFFSET ${mostUpdates - 1} LIMIT 1
    ) AS kept ON kept.began_at >= ${before}
    ORDER BY c.id`;
}

/** dropUpdates deletes a batch. Unordered: a plan that sorts the rest would read it all, batch after batch. */
async function dropUpdates(db: Db, oldest: Oldest, most: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    // A scan of the table would read everything that stays first, also batch after batch.
    await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    return dropBatch(tx, oldest, most);
  });
}

async function dropBatch(tx: Tx, { clusterId, beganAt, id }: Oldest, most: number): Promise<number> {
  const [swept] = await tx.$queryRaw<{ count: number }[]>`
    WITH old AS (
      DELETE FROM route_update WHERE id = ANY(ARRAY(
        SELECT id FROM route_update WHERE cluster_id = ${clusterId} AND (began_at, id) < (${beganAt}, ${id}) LIMIT ${most}))
      RETURNING organization_id, cluster_id, is_withdrawal, began_at, phases
    ), counted AS (
      INSERT INTO route_delay AS kept (organization_id, cluster_id, hour, phase, is_withdrawal, bucket, count, ms_max)
      SELECT organization_id, cluster_id, date_trunc('hour', began_at, 'UTC'), phase, is_withdrawal,
        width_bucket(ms::float8, ${delayBoundsMs}::float8[]) AS bucket, count(*), max(ms::float8)
      FROM old, jsonb_each_text(phases) AS took (phase, ms) GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (cluster_id, hour, phase, is_withdrawal, bucket) DO UPDATE
        SET count = kept.count + excluded.count, ms_max = greatest(kept.ms_max, excluded.ms_max)
    )
    SELECT count(*)::int AS count FROM old`;
  return swept?.count ?? 0;
}
