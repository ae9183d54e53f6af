import type { Db } from "@fairlead/db";
import { inBatches } from "../../control/in-batches.ts";

/** How long a stream may have been away and still be told what it missed. After that it is told to read everything anew. */
export const feedRetentionMs = 3_600_000;

/** sweepFeed drops entries that no stream may ask for any more, a bounded number at a time, and says how many. */
export async function sweepFeed(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 2 * feedRetentionMs);
  return inBatches(
    (most) => db.$executeRaw`
      DELETE FROM feed_entry WHERE id IN (SELECT id FROM feed_entry WHERE at < ${before} ORDER BY at LIMIT ${most})`,
  );
}
