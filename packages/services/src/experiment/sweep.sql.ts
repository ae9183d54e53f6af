import { type Db, Prisma } from "@fairlead/db";
import { inBatches } from "../control/in-batches.ts";

/** Experiments are kept as long as the events about them. */
export const experimentRetentionMs = 90 * 24 * 3_600_000;
/** The most experiments that are kept of each cluster. */
export const mostExperiments = 500;

/**
 * sweepExperiments deletes old experiments that have ended, and returns how many rows that were. Their steps are
 * deleted first, a bounded number at a time: one can have a hundred thousand.
 */
export async function sweepExperiments(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - experimentRetentionMs);
  const old = Prisma.sql`
    SELECT id FROM (
      SELECT id, ended_at, row_number() OVER (PARTITION BY cluster_id ORDER BY started_at DESC, id DESC) AS place FROM experiment
    ) AS ranked WHERE ended_at IS NOT NULL AND (ended_at < ${before} OR place > ${mostExperiments})`;
  const steps = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM experiment_step WHERE id IN (
        SELECT id FROM experiment_step WHERE experiment_id IN (${old}) LIMIT ${most})`,
  );
  const experiments = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM experiment WHERE id IN (
        SELECT id FROM (${old}) AS old
        WHERE NOT EXISTS (SELECT FROM experiment_step WHERE experiment_id = old.id) LIMIT ${most})`,
  );
  return steps + experiments;
}
