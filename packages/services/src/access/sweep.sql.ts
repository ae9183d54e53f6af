import type { Db } from "@fairlead/db";
import { inBatches } from "../control/in-batches.ts";

/** sweepAccess deletes expired sessions and unfinished sign-ins, and allowances that are full again. */
export async function sweepAccess(db: Db, now: Date): Promise<number> {
  const sessions = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM "session" WHERE id IN (SELECT id FROM "session" WHERE expires_at < ${now} LIMIT ${most})`,
  );
  const verifications = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM verification WHERE id IN (SELECT id FROM verification WHERE expires_at < ${now} LIMIT ${most})`,
  );
  const allowances = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM allowance WHERE name IN (SELECT name FROM allowance WHERE spent_until < ${now} LIMIT ${most})`,
  );
  return sessions + verifications + allowances;
}
