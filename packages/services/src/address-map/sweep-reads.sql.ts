import type { Db } from "@fairlead/db";
import { inBatches } from "../control/in-batches.ts";

/** As long as the audit: who read a map is part of it. */
export const mapReadRetentionMs = 400 * 24 * 3_600_000;

/** sweepMapReads deletes old hours, and returns how many rows that were. */
export async function sweepMapReads(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - mapReadRetentionMs);
  return inBatches(
    (most) => db.$executeRaw`
      DELETE FROM map_read WHERE ctid = ANY(ARRAY(SELECT ctid FROM map_read WHERE hour < ${before} LIMIT ${most}))`,
  );
}
