import type { Db } from "@fairlead/db";
import { hourOf } from "@fairlead/domain/cost";
import { resolutions } from "@fairlead/domain/series";
import { inBatches } from "../control/in-batches.ts";

/** sweepUsage deletes usage that is so old that no series of it is left, and returns how many hours. */
export async function sweepUsage(db: Db, now: Date): Promise<number> {
  const before = hourOf(new Date(now.getTime() - resolutions.hour.retentionMs));
  const hours = await inBatches(
    (most) => db.$executeRaw`
      DELETE FROM usage_hour WHERE (subject_id, hour) IN (
        SELECT subject_id, hour FROM usage_hour WHERE hour < ${before}::int LIMIT ${most})`,
  );
  await db.$executeRaw`
    DELETE FROM usage_subject s
    WHERE NOT EXISTS (SELECT 1 FROM load_balancer l WHERE l.id = s.load_balancer_id)
      AND NOT EXISTS (SELECT 1 FROM usage_hour h WHERE h.subject_id = s.id)`;
  return hours;
}
