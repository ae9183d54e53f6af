import type { Db } from "@fairlead/db";
import { inBatches } from "../../control/in-batches.ts";

/** How long a stream may have been away and still get what it missed. After that it gets a reset. */
export const feedRetentionMs = 3_600_000;

/**
 * sweepFeed deletes entries that no stream can resume from any more, a bounded number at a time, and returns how many.
 */
export async function sweepFeed(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 2 * feedRetentionMs);
  return inBatches(
    (most) => db.$executeRaw`
      DELETE FROM feed_entry WHERE id IN (SELECT id FROM feed_entry WHERE at < ${before} ORDER BY at LIMIT ${most})`,
  );
}
