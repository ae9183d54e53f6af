import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { metricNames, metrics, resolutions } from "@fairlead/domain/series";
import { batchSize } from "../control/in-batches.ts";
import { notifySeries } from "./notify-series.sql.ts";

/** Sums of years need the series of removed agents, too. */
const addingUp = metricNames.filter((name) => metrics[name].addsUp);

/**
 * deleteOrphanedSeries deletes the series of deleted nodes, load balancers and backends, and those that ended too long ago
 * for any chart. It walks through all of them in bounded batches, and returns how many it deleted. Their samples are
 * dropped with their partitions.
 */
export async function deleteOrphanedSeries(db: Db, now: Date, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  for (let after = 0; !stopping?.aborted; ) {
    const batch = await inTransaction(db, (tx) => deleteAfter(tx, after, now));
    total += batch.deleted;
    if (!batch.last || batch.looked < batchSize) break;
    after = batch.last;
  }
  return total;
}

type Batch = { last: number | null; looked: number; deleted: number };

async function deleteAfter(tx: Tx, after: number, now: Date): Promise<Batch> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const [batch] = await tx.$queryRaw<(Batch & { subjectIds: string[] })[]>`
    WITH looked AS (
      SELECT id FROM series WHERE id > ${after} ORDER BY id LIMIT ${batchSize}
    ), orphaned AS (
      SELECT s.id FROM series s JOIN looked USING (id)
      -- An hour's grace, so that no series is deleted between its creation and its first sample.
      WHERE s.created_at < ${before(3_600_000)} AND CASE split_part(s.subject_id, '_', 1)
        WHEN 'node' THEN NOT EXISTS (SELECT 1 FROM node WHERE node.id = s.subject_id)
        WHEN 'lb' THEN NOT EXISTS (SELECT 1 FROM load_balancer WHERE load_balancer.id = s.subject_id)
        WHEN 'bak' THEN NOT EXISTS (SELECT 1 FROM backend WHERE backend.id = s.subject_id)
        ELSE false END
        OR s.ended_at < CASE WHEN s.metric = ANY(${addingUp}::text[])
          THEN ${before(resolutions.hour.retentionMs)}::timestamptz ELSE ${before(resolutions.minute.retentionMs)}::timestamptz END
      -- A series that continues meanwhile is not deleted, and no other transaction is waited for.
      FOR UPDATE OF s SKIP LOCKED
    ), dropped AS (
      DELETE FROM series USING orphaned WHERE series.id = orphaned.id RETURNING series.subject_id
    )
    SELECT max(id) AS last, count(*)::int AS looked, (SELECT count(*)::int FROM dropped) AS deleted,
      ARRAY(SELECT DISTINCT subject_id FROM dropped LIMIT 1000) AS "subjectIds" FROM looked`;
  if (!batch) return { last: null, looked: 0, deleted: 0 };
  await notifySeries(tx, batch.subjectIds);
  return batch;
}
