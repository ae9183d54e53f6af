import type { Tx } from "@fairlead/db";
import { counterReachMs } from "../series/query-cluster.sql.ts";

/**
 * countBroken is how many connections clients of a cluster saw break in a span of time; null where no client reported.
 * A client's counter starts at zero with its process, so where it is lower than before, all of it is new.
 */
export async function countBroken(tx: Tx, clusterId: string, after: Date, until: Date): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ broken: number | null }[]>`
    SELECT sum(CASE WHEN value < before THEN value ELSE value - before END)::int AS broken FROM (
      SELECT m.value, m.at, lag(m.value, 1, m.value) OVER (PARTITION BY m.series_id ORDER BY m.at) AS before
      FROM sample m JOIN series s ON s.id = m.series_id JOIN node n ON n.id = s.subject_id
      WHERE n.cluster_id = ${clusterId} AND s.metric = 'connectionsBroken'
        AND m.at > ${new Date(after.getTime() - counterReachMs)} AND m.at <= ${until}
    ) counted WHERE at > ${after}`;
  return row?.broken ?? null;
}
