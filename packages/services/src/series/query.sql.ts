import type { Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import {
  countBuckets,
  type MetricName,
  metrics,
  mostBuckets,
  planSeries,
  type QuerySeries,
  type Series,
  type SeriesAnswer,
  type SeriesPoint,
  type SumBy,
} from "@fairlead/domain/series";
import { authorize, type ServiceContext } from "../context.ts";
import { type Line, selectPoints } from "./points.sql.ts";

/**
 * A chart with more lines than 240 is unreadable, and a subject may have very many labels. Summed they become few lines, so
 * more of them are allowed: for sums over agents, what 1,000 replicas report of an exposure.
 */
const most: Record<SumBy, number> = { series: 240, subject: 2_000, labels: 20_000 };

/**
 * querySeries returns the data of charts: at most maxPoints steps per series, with the lowest, mean and highest value
 * of each. Steps without samples are left out, so gaps stay gaps. Buckets that wait for their roll-up are read from
 * the level below, so a chart never lags behind the samples and never counts one twice.
 */
export async function querySeries(ctx: ServiceContext, query: QuerySeries): Promise<SeriesAnswer> {
  authorize(ctx, "series:read");
  const { sumBy = "series" } = query;
  const limit = most[sumBy];
  const found = await selectSeries(ctx.db, ctx.organizationId, query, limit + 1);
  // Lines of removed agents are left out before those of living ones; a sum needs all.
  const isTooMany = found.length > limit && (sumBy !== "series" || found.every((row) => row.endedAt === null));
  if (isTooMany)
    throw invalid(["subjectIds"], `These are more than ${limit} series; request fewer subjects or metrics.`);
  const rows = inOrder(query, found.slice(0, limit));
  const plan = planSeries(query, ctx.now, rows.length);
  if (countBuckets(plan, rows.length) > mostBuckets)
    throw invalid(["from"], `This is too much of ${rows.length} series at once; request less time or fewer subjects.`);
  const lines = toLines(rows, sumBy);
  if (lines.length > most.series && sumBy === "labels")
    throw invalid(["metrics"], `These are more than ${most.series} sums; request fewer metrics.`);
  const points = await selectPoints(ctx.db, plan, lines);
  const series = lines.map((line): Series => {
    const own = points.get(line.id) ?? [];
    const { subjectId, metric } = line;
    const labels = JSON.parse(line.labels) as Record<string, string>;
    const { unit } = metrics[metric];
    return { subjectId, metric, unit, labels, intervalMs: usualInterval(own, plan.stepMs), points: own };
  });
  return { resolutionMs: plan.stepMs, series: series.filter((each) => each.points.length > 0) };
}

type SeriesRow = { id: number; subjectId: string; metric: MetricName; labels: string; endedAt: Date | null };

function toLines(rows: SeriesRow[], sumBy: SumBy): (SeriesRow & Line)[] {
  switch (sumBy) {
    case "series":
      return rows.map((row) => ({ ...row, ids: [row.id] }));
    case "subject":
      return join(
        rows.map((row) => ({ ...row, labels: "{}" })),
        (row) => `${row.subjectId} ${row.metric}`,
      );
    case "labels":
      return join(
        rows.map((row) => ({ ...row, labels: withoutAgent(row.labels) })),
        (row) => `${row.metric} ${row.labels}`,
      );
    default:
      return sumBy satisfies never;
  }
}

/** join adds up the series with the same key. */
function join(rows: SeriesRow[], keyOf: (row: SeriesRow) => string): (SeriesRow & Line)[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, ids: group.map((row) => row.id) }] : [];
  });
}

function withoutAgent(labels: string): string {
  const { agent: _, ...others } = JSON.parse(labels) as Record<string, string>;
  return JSON.stringify(Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** selectSeries returns those that may have samples in the range: first those that continue, then the last ended ones. */
async function selectSeries(tx: Tx, organizationId: string, query: QuerySeries, limit: number): Promise<SeriesRow[]> {
  // The plan widens the range to whole steps, and a sum also reads what was shortly before.
  const marginMs = Math.max(3_600_000, (query.to.getTime() - query.from.getTime()) / 2);
  return tx.$queryRaw<SeriesRow[]>`
    SELECT id, subject_id AS "subjectId", metric, labels, ended_at AS "endedAt" FROM series
    WHERE organization_id = ${organizationId} AND subject_id = ANY(${query.subjectIds}::text[]) AND metric = ANY(${query.metrics}::text[])
      AND (ended_at IS NULL OR ended_at >= ${new Date(query.from.getTime() - marginMs)})
    ORDER BY ended_at DESC NULLS FIRST, id LIMIT ${limit}`;
}

function inOrder({ metrics }: QuerySeries, rows: SeriesRow[]): SeriesRow[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return rows.sort(
    (a, b) =>
      compare(a.subjectId, b.subjectId) ||
      metrics.indexOf(a.metric) - metrics.indexOf(b.metric) ||
      compare(a.labels, b.labels),
  );
}

/** usualInterval is the median distance, at least a step: a chart compares gaps with it. */
function usualInterval(points: SeriesPoint[], stepMs: number): number {
  const distances = points.slice(1).map((point, index) => point.at.getTime() - (points[index]?.at.getTime() ?? 0));
  distances.sort((a, b) => a - b);
  return Math.max(distances[Math.floor(distances.length / 2)] ?? stepMs, stepMs);
}
