import { z } from "zod";
import { metrics } from "./metrics.ts";
import type { QuerySeries, SeriesAnswer, SeriesPoint } from "./series.ts";

/** A point: its step, its average, and its minimum and maximum if they differ from the average. */
const packedPoint = z.tuple([z.int(), z.number(), z.number().optional(), z.number().optional()]);
type PackedPoint = z.infer<typeof packedPoint>;

/** A series: its subject and metric, as positions in the query, then its labels, its interval and its points. */
const packedOne = z.tuple([z.int(), z.int(), z.record(z.string(), z.string()), z.int(), z.array(packedPoint)]);

/** packedSeries is an answer in few bytes, for charts that read every few seconds. Steps count from firstStep. */
export const packedSeries = z.object({ resolutionMs: z.int(), firstStep: z.int(), series: z.array(packedOne) });
export type PackedSeries = z.infer<typeof packedSeries>;

type Asked = Pick<QuerySeries, "subjectIds" | "metrics">;

/** A chart shows three digits and has fewer than a thousand pixels. */
const digits = 4;

/** packSeries packs an answer. Values are rounded to four digits. */
export function packSeries({ resolutionMs, series }: SeriesAnswer, asked: Asked): PackedSeries {
  const stepOf = (at: Date) => Math.floor(at.getTime() / resolutionMs);
  const steps = series.flatMap(({ points }) => (points[0] ? [stepOf(points[0].at)] : []));
  const firstStep = steps.length > 0 ? steps.reduce((first, step) => Math.min(first, step)) : 0;
  return {
    resolutionMs,
    firstStep,
    series: series.map(({ subjectId, metric, labels, intervalMs, points }) => [
      asked.subjectIds.indexOf(subjectId),
      asked.metrics.indexOf(metric),
      labels,
      intervalMs,
      points.map((point) => packPoint(point, stepOf(point.at) - firstStep)),
    ]),
  };
}

function packPoint(point: SeriesPoint, step: number): PackedPoint {
  const [min, avg, max] = [round(point.min), round(point.avg), round(point.max)];
  return min === avg && max === avg ? [step, avg] : [step, avg, min, max];
}

function round(value: number): number {
  return Number(value.toPrecision(digits));
}

/** unpackSeries is the answer to a query, from its packed form. */
export function unpackSeries({ resolutionMs, firstStep, series }: PackedSeries, asked: Asked): SeriesAnswer {
  return {
    resolutionMs,
    series: series.flatMap(([subject, position, labels, intervalMs, points]) => {
      const subjectId = asked.subjectIds[subject];
      const metric = asked.metrics[position];
      if (subjectId === undefined || metric === undefined) return [];
      const { unit } = metrics[metric];
      const unpacked = points.map(([step, avg, min = avg, max = avg]) => {
        return { at: new Date((firstStep + step) * resolutionMs), min, avg, max };
      });
      return [{ subjectId, metric, unit, labels, intervalMs, points: unpacked }];
    }),
  };
}
