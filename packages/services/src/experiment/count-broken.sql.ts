import type { Tx } from "@fairlead/db";

/**
 * countBroken is how many connections clients of the cluster saw break in the course of an experiment; null where none of
 * them tells. What a client counts begins at nothing when it does, so only what is more than before counts.
 */
export async function countBroken(
  tx: Tx,
  { clusterId, startedAt }: { clusterId: string; startedAt: Date },
  endedAt: Date,
): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ broken: number | null }[]>`
    SELECT sum(greatest(0, value - before))::int AS broken FROM (
      SELECT m.value, m.at, lag(m.value, 1, m.value) OVER (PARTITION BY m.series_id ORDER BY m.at) AS before
      FROM sample m JOIN series s ON s.id = m.series_id JOIN node n ON n.id = s.subject_id
      WHERE n.cluster_id = ${clusterId} AND s.metric = 'connectionsBroken'
        AND m.at BETWEEN ${startedAt}::timestamptz - interval '30 seconds' AND ${endedAt}::timestamptz + interval '15 seconds'
    ) counted WHERE at > ${startedAt}`;
  return row?.broken ?? null;
}
