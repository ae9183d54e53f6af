import { z } from "zod";
import { toDigits } from "../numbers.ts";
import { metrics } from "./metrics.ts";
import { type QuerySeries, querySeries, type SeriesAnswer, type SeriesPoint } from "./series.ts";

/** A point: its average, and its minimum and maximum if they differ from it. */
const packedPoint = z.union([z.number(), z.tuple([z.number(), z.number(), z.number()])]);
type PackedPoint = z.infer<typeof packedPoint>;

/** The points of a series at each step, null where it has none, or one number that all of them are. */
const packedPoints = z.union([z.number(), z.array(packedPoint.nullable())]);
type PackedPoints = z.infer<typeof packedPoints>;

/** A series: its subject and metric, as positions in the query, then its labels and its interval. */
const packedOne = z.tuple([z.int(), z.int(), z.record(z.string(), z.string()), z.int()]);

/** The series of an answer, with a digest of their subjects, metrics and labels. */
const seriesLayout = z.object({ digest: z.string(), series: z.array(packedOne) });
export type SeriesLayout = z.infer<typeof seriesLayout>;

/** packedSeries is an answer in few bytes, for charts that read every few seconds. Steps count from firstStep. */
export const packedSeries = z.object({
  resolutionMs: z.int(),
  firstStep: z.int(),
  steps: z.array(z.int()),
  points: z.array(packedPoints),
  /** Left out if it is the one that the client has. */
  layout: seriesLayout.optional(),
});
export type PackedSeries = z.infer<typeof packedSeries>;

/** The query of a chart, which may have the layout of an earlier answer. */
export const queryPackedSeries = querySeries.safeExtend({ layoutDigest: z.string().max(64).optional() });

type Asked = Pick<QuerySeries, "subjectIds" | "metrics"> & { layoutDigest?: string | undefined };

/** A chart shows three digits and has fewer than a thousand pixels. */
const digits = 4;

/** packSeries packs an answer, with values of four digits. digestOf returns a short digest of a text. */
export function packSeries(
  { resolutionMs, series }: SeriesAnswer,
  asked: Asked,
  digestOf: (text: string) => string,
): PackedSeries {
  const stepOf = ({ at }: SeriesPoint) => Math.floor(at.getTime() / resolutionMs);
  const all = [...new Set(series.flatMap(({ points }) => points.map(stepOf)))].sort((a, b) => a - b);
  const firstStep = all[0] ?? 0;
  const layout = series.map(({ subjectId, metric, labels, intervalMs }): SeriesLayout["series"][number] => {
    return [asked.subjectIds.indexOf(subjectId), asked.metrics.indexOf(metric), labels, intervalMs];
  });
  const digest = digestOf(JSON.stringify(layout.map(([subject, metric, labels]) => [subject, metric, labels])));
  return {
    resolutionMs,
    firstStep,
    steps: all.map((step) => step - firstStep),
    points: series.map(({ points }) => {
      const at = new Map(points.map((point) => [stepOf(point), packPoint(point)]));
      return packPoints(all.map((step) => at.get(step) ?? null));
    }),
    ...(digest === asked.layoutDigest ? {} : { layout: { digest, series: layout } }),
  };
}

function packPoint(point: SeriesPoint): PackedPoint {
  const [min, avg, max] = [toDigits(point.min, digits), toDigits(point.avg, digits), toDigits(point.max, digits)];
  return min === avg && max === avg ? avg : [avg, min, max];
}

function packPoints(points: (PackedPoint | null)[]): PackedPoints {
  const [first] = points;
  return typeof first === "number" && points.every((each) => each === first) ? first : points;
}

/**
 * unpackSeries is the answer to a query, from its packed form. The intervals of a known layout may be those of the earlier
 * answer.
 */
export function unpackSeries(packed: PackedSeries, asked: Asked, known: SeriesLayout | null = null): SeriesAnswer {
  const { resolutionMs, firstStep, steps, points, layout = known } = packed;
  if (!layout) throw new Error("The answer has no layout.");
  return {
    resolutionMs,
    series: layout.series.flatMap(([subject, position, labels, intervalMs], index) => {
      const subjectId = asked.subjectIds[subject];
      const metric = asked.metrics[position];
      const own = points[index];
      if (subjectId === undefined || metric === undefined || own === undefined) return [];
      const unpacked = steps.flatMap((step, at): SeriesPoint[] => {
        const point = typeof own === "number" ? own : own[at];
        if (point === null || point === undefined) return [];
        const [avg, min, max] = typeof point === "number" ? [point, point, point] : point;
        return [{ at: new Date((firstStep + step) * resolutionMs), min, avg, max }];
      });
      return [{ subjectId, metric, unit: metrics[metric].unit, labels, intervalMs, points: unpacked }];
    }),
  };
}
