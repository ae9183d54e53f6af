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
} from "@fairlead/domain/series";
import { authorize, type ServiceContext } from "../context.ts";
import { type Line, selectPoints } from "./points.sql.ts";

/** A chart with more lines than this is unreadable, and a subject may have very many labels. */
const mostSeries = 240;
/** Summed they become few lines, so more of them are allowed. */
const mostSummedSeries = 2_000;

/**
 * querySeries returns the data of charts: at most maxPoints steps per series, with the lowest, mean and highest value
 * of each. Steps without samples are left out, so gaps stay gaps. Buckets that wait for their roll-up are read from
 * the level below, so a chart never lags behind the samples and never counts one twice.
 */
export async function querySeries(ctx: ServiceContext, query: QuerySeries): Promise<SeriesAnswer> {
  authorize(ctx, "series:read");
  const most = query.sumBy === "subject" ? mostSummedSeries : mostSeries;
  const found = await selectSeries(ctx.db, ctx.organizationId, query, most + 1);
  // Lines of removed agents are left out before those of living ones; a sum needs all.
  const isTooMany = found.length > most && (query.sumBy === "subject" || found.every((row) => row.endedAt === null));
  if (isTooMany)
    throw invalid(["subjectIds"], `These are more than ${most} series; request fewer subjects or metrics.`);
  const rows = inOrder(query, found.slice(0, most));
  const plan = planSeries(query, ctx.now, rows.length);
  if (countBuckets(plan, rows.length) > mostBuckets)
    throw invalid(["from"], `This is too much of ${rows.length} series at once; request less time or fewer subjects.`);
  const lines = query.sumBy === "subject" ? joinBySubject(rows) : rows.map((row) => ({ ...row, ids: [row.id] }));
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

function joinBySubject(rows: SeriesRow[]): (SeriesRow & Line)[] {
  const groups = Map.groupBy(rows, (row) => `${row.subjectId} ${row.metric}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, labels: "{}", ids: group.map((row) => row.id) }] : [];
  });
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
