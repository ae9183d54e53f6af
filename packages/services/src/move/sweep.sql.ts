import { type Db, Prisma } from "@fairlead/db";
import { inBatches } from "../control/in-batches.ts";

/** Moves are kept as long as the events about them. */
export const moveRetentionMs = 90 * 24 * 3_600_000;

/** sweepMoves deletes moves that ended long ago, and returns how many rows that were. Their steps are deleted first. */
export async function sweepMoves(db: Db, now: Date): Promise<number> {
  const old = Prisma.sql`SELECT id FROM move WHERE ended_at < ${new Date(now.getTime() - moveRetentionMs)}`;
  const steps = await inBatches(
    (most) =>
      db.$executeRaw`DELETE FROM move_step WHERE id IN (SELECT id FROM move_step WHERE move_id IN (${old}) LIMIT ${most})`,
  );
  const moves = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM move WHERE id IN (
        SELECT id FROM (${old}) AS old WHERE NOT EXISTS (SELECT FROM move_step WHERE move_id = old.id) LIMIT ${most})`,
  );
  return steps + moves;
}
