import type { Tx } from "@fairlead/db";

/** deleteOrphanedSeries forgets the series of nodes that are gone. Their samples go with their partitions. */
export async function deleteOrphanedSeries(tx: Tx, now: Date): Promise<void> {
  // An hour's respite, so that no series is met between its making and its first sample.
  const before = new Date(now.getTime() - 3_600_000);
  await tx.$executeRaw`
    DELETE FROM series s WHERE created_at < ${before} AND subject_id LIKE 'node\\_%' AND NOT EXISTS (SELECT 1 FROM node n WHERE n.id = s.subject_id)`;
}
