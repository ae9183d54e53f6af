import type { Db } from "@fairlead/db";
import { batchSize } from "../control/in-batches.ts";

/**
 * deleteOrphanedSeries deletes the series of deleted nodes, load balancers and backends, walking through all of them in
 * bounded batches, and returns how many. Their samples are dropped with their partitions.
 */
export async function deleteOrphanedSeries(db: Db, now: Date, stopping?: AbortSignal): Promise<number> {
  // An hour's grace, so that no series is deleted between its creation and its first sample.
  const before = new Date(now.getTime() - 3_600_000);
  let total = 0;
  for (let after = 0; !stopping?.aborted; ) {
    const [batch] = await db.$queryRaw<{ last: number | null; looked: number; dropped: number }[]>`
      WITH looked AS (
        SELECT id, subject_id, created_at FROM series WHERE id > ${after} ORDER BY id LIMIT ${batchSize}
      ), dropped AS (
        DELETE FROM series USING looked
        WHERE series.id = looked.id AND looked.created_at < ${before} AND CASE split_part(looked.subject_id, '_', 1)
          WHEN 'node' THEN NOT EXISTS (SELECT 1 FROM node WHERE node.id = looked.subject_id)
          WHEN 'lb' THEN NOT EXISTS (SELECT 1 FROM load_balancer WHERE load_balancer.id = looked.subject_id)
          WHEN 'bak' THEN NOT EXISTS (SELECT 1 FROM backend WHERE backend.id = looked.subject_id)
          ELSE false END
        RETURNING 1
      )
      SELECT max(id) AS last, count(*)::int AS looked, (SELECT count(*)::int FROM dropped) AS dropped FROM looked`;
    total += batch?.dropped ?? 0;
    if (!batch?.last || batch.looked < batchSize) break;
    after = batch.last;
  }
  return total;
}
