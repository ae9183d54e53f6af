import { Prisma, type Tx } from "@fairlead/db";
import { longestIntervalMs } from "@fairlead/domain/node";
import type { SeriesPlan, SeriesPoint } from "@fairlead/domain/series";

/** For how many of its intervals a series' last value counts in a sum. */
const holdIntervals = 2.5;
const longestHoldMs = holdIntervals * longestIntervalMs;
const leastReachMs = 60_000;

/** A line of an answer: one series, or several that are summed. Its id is that of the first. */
export type Line = { id: number; ids: number[] };

type PointRow = SeriesPoint & { lineId: number };

/** selectPoints reads the points of lines, by the lines' ids. */
export async function selectPoints(tx: Tx, plan: SeriesPlan, lines: Line[]): Promise<Map<number, SeriesPoint[]>> {
  const found = new Map<number, SeriesPoint[]>();
  if (lines.length === 0) return found;
  const isSummed = lines.some((line) => line.ids.length > 1);
  const rows = await tx.$queryRaw<PointRow[]>(isSummed ? summedPoints(plan, lines) : plainPoints(plan, lines));
  for (const { lineId, ...point } of rows) {
    const points = found.get(lineId);
    if (points) points.push(point);
    else found.set(lineId, [point]);
  }
  return found;
}

function plainPoints(plan: SeriesPlan, lines: Line[]): Prisma.Sql {
  return Prisma.sql`${pointsOf(plan, lines)}
    SELECT series_id AS "lineId", at, min, avg, max FROM point ORDER BY 1, 2`;
}

/**
 * summedPoints sums a line's series step by step. Each source reports at its own moments, so the last value of a series
 * counts for two and a half of its intervals, and at least for the step after its own: otherwise the sum would drop
 * wherever one source is a little late. Where none of them has a value there is no sum, so gaps stay gaps.
 */
function summedPoints(plan: SeriesPlan, lines: Line[]): Prisma.Sql {
  const step = Prisma.sql`(${plan.stepMs} * interval '1 ms')`;
  const lineIds = lines.flatMap((line) => line.ids.map(() => line.id));
  // Values from before the range count in its first steps. For a short range less of that is read, but enough for
  // sources that report every 20 s: charts read only the last seconds.
  const reachMs = Math.min(longestHoldMs, Math.max(leastReachMs, (plan.to.getTime() - plan.from.getTime()) / 4));
  const from = new Date(plan.from.getTime() - Math.ceil(reachMs / plan.stepMs) * plan.stepMs);
  return Prisma.sql`${pointsOf({ ...plan, from }, lines)}, spaced AS (
      SELECT *, lead(at) OVER (PARTITION BY series_id ORDER BY at) AS next_at FROM point
    ), hold AS (
      SELECT series_id, greatest(2 * ${step}, ${holdIntervals} * interval '1 s' *
        percentile_disc(0.5) WITHIN GROUP (ORDER BY date_part('epoch', next_at - at) / count)) AS span
      FROM spaced GROUP BY 1
    ), held AS (
      SELECT spaced.*, least(next_at, at + span) AS until FROM spaced JOIN hold USING (series_id)
    ), each_step AS (
      SELECT series_id, at, min, avg, max, true AS is_said FROM held WHERE at >= ${plan.from}
      UNION ALL
      SELECT series_id, later, min, avg, max, false
      FROM held, generate_series(at + ${step}, least(until, ${plan.to}) - interval '1 ms', ${step}) AS later
      WHERE until > at + ${step} AND later >= ${plan.from}
    )
    SELECT line.id AS "lineId", at, sum(min) AS min, sum(avg) AS avg, sum(max) AS max
    FROM each_step JOIN unnest(${idsOf(lines)}::int4[], ${lineIds}::int4[]) AS line(series_id, id) USING (series_id)
    GROUP BY 1, 2 HAVING bool_or(is_said) ORDER BY 1, 2`;
}

function idsOf(lines: Line[]): number[] {
  return lines.flatMap((line) => line.ids);
}

function pointsOf(plan: SeriesPlan, lines: Line[]): Prisma.Sql {
  return Prisma.sql`${bucketsOf(plan, idsOf(lines))}, point AS (
    SELECT series_id, date_bin(${plan.stepMs} * interval '1 ms', at, 'epoch'::timestamptz) AS at,
      sum(count) AS count, min(min) AS min, sum(sum) / sum(count) AS avg, max(max) AS max
    FROM bucket GROUP BY 1, 2)`;
}

/** bucketsOf is the start of a query: what a plan reads of some series, as the table bucket. */
export function bucketsOf(plan: SeriesPlan, ids: number[]): Prisma.Sql {
  const within = Prisma.sql`series_id = ANY(${ids}::int4[]) AND at >= ${plan.from} AND at < ${plan.to}`;
  const raw = Prisma.sql`SELECT series_id, at, 1 AS count, value AS sum, value AS min, value AS max FROM sample WHERE ${within}`;
  const minute = Prisma.sql`SELECT series_id, at, count, sum, min, max FROM sample_minute WHERE ${within}`;
  const hour = Prisma.sql`SELECT series_id, at, count, sum, min, max FROM sample_hour WHERE ${within}`;
  const waitingMinute = Prisma.sql`
    SELECT bucket_at FROM rollup_task WHERE resolution = 'minute' AND bucket_at >= ${plan.from} AND bucket_at < ${plan.to}`;
  const rawOfWaiting = Prisma.sql`
    SELECT series_id, at, 1, value, value, value FROM waiting_minute JOIN sample ON at >= bucket_at AND at < bucket_at + interval '1 min' AND ${within}`;
  switch (plan.resolution) {
    case "raw":
      return Prisma.sql`WITH bucket AS (${raw})`;
    case "minute":
      return Prisma.sql`WITH waiting_minute AS MATERIALIZED (${waitingMinute}), bucket AS (
        ${minute} AND at NOT IN (SELECT bucket_at FROM waiting_minute) UNION ALL ${rawOfWaiting})`;
    case "hour":
      return Prisma.sql`WITH waiting_minute AS MATERIALIZED (${waitingMinute}), waiting_hour AS MATERIALIZED (
        SELECT bucket_at FROM rollup_task WHERE resolution = 'hour' AND bucket_at >= ${plan.from} AND bucket_at < ${plan.to}
        UNION SELECT date_bin('1 hour', bucket_at, 'epoch'::timestamptz) FROM waiting_minute), bucket AS (
        ${hour} AND at NOT IN (SELECT bucket_at FROM waiting_hour)
        UNION ALL SELECT series_id, at, count, sum, min, max FROM waiting_hour JOIN sample_minute
          ON at >= bucket_at AND at < bucket_at + interval '1 hour' AND ${within} AND at NOT IN (SELECT bucket_at FROM waiting_minute)
        UNION ALL ${rawOfWaiting})`;
    default:
      return plan.resolution satisfies never;
  }
}
