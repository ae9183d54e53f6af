import { z } from "zod";
import { metricName } from "./metric.ts";
import { moment } from "./moment.ts";

export const seriesPoint = z
  .object({ at: z.date(), min: z.number(), avg: z.number(), max: z.number() })
  .meta({ id: "SeriesPoint" });
export type SeriesPoint = z.infer<typeof seriesPoint>;

export const series = z
  .object({
    subjectId: z.string(),
    metric: metricName,
    unit: z.string(),
    labels: z.record(z.string(), z.string()),
    intervalMs: z
      .int()
      .describe("How far apart the points usually are; a much wider gap means that nothing was measured."),
    points: z.array(seriesPoint),
  })
  .meta({ id: "Series" });
export type Series = z.infer<typeof series>;

export const querySeries = z
  .strictObject({
    subjectIds: z.array(z.string().min(1).max(64)).min(1).max(20),
    metrics: z.array(metricName).min(1).max(12),
    from: moment,
    to: moment,
    maxPoints: z.int().min(10).max(1_000).default(300),
    sumBy: z
      .enum(["series", "subject"])
      .optional()
      .describe(
        "series when absent. subject: all series of one subject and metric as one, added up step by step, such as the traffic of all its interfaces. Its lowest and highest are those of each series added up.",
      ),
  })
  .refine((query) => query.from < query.to, { path: ["to"], message: "to must be later than from" });
export type QuerySeries = z.infer<typeof querySeries>;

export const seriesAnswer = z.object({ resolutionMs: z.int(), series: z.array(series) }).meta({ id: "SeriesAnswer" });
export type SeriesAnswer = z.infer<typeof seriesAnswer>;

/** The tables that samples live in: how coarse, and for how long. */
export const resolutions = {
  raw: { bucketMs: 0, retentionMs: 24 * 3_600_000 },
  minute: { bucketMs: 60_000, retentionMs: 30 * 24 * 3_600_000 },
  hour: { bucketMs: 3_600_000, retentionMs: 2 * 365 * 24 * 3_600_000 },
} as const;
export type Resolution = keyof typeof resolutions;

/** Which samples are taken in: none that retention is about to drop, none from a clock that runs far ahead. */
export const sampleWindow = { pastMs: resolutions.raw.retentionMs - 3_600_000, futureMs: 5 * 60_000 } as const;

const niceSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000,
];

export type SeriesPlan = { resolution: Resolution; stepMs: number; from: Date; to: Date };

/**
 * planSeries picks the coarsest table that still fills the chart and a round step of at most maxPoints, and widens
 * the range to whole steps, so that the same moment always falls into the same step whoever asks.
 */
export function planSeries(query: { from: Date; to: Date; maxPoints: number }, now: Date): SeriesPlan {
  const spanMs = query.to.getTime() - query.from.getTime();
  // Two fewer, because widening to whole steps may add one at either end.
  const wantedS = spanMs / (query.maxPoints - 2) / 1_000;
  const stepS = niceSteps.find((step) => step >= wantedS) ?? Math.ceil(wantedS / 86_400) * 86_400;
  const { resolution, stepMs } = pickResolution(stepS * 1_000, now.getTime() - query.from.getTime());
  return {
    resolution,
    stepMs,
    from: new Date(Math.floor(query.from.getTime() / stepMs) * stepMs),
    to: new Date(Math.ceil(query.to.getTime() / stepMs) * stepMs),
  };
}

function pickResolution(stepMs: number, ageMs: number): { resolution: Resolution; stepMs: number } {
  const { raw, minute, hour } = resolutions;
  if (stepMs % hour.bucketMs === 0) return { resolution: "hour", stepMs };
  if (stepMs < minute.bucketMs && ageMs <= raw.retentionMs) return { resolution: "raw", stepMs };
  if (ageMs <= minute.retentionMs) return { resolution: "minute", stepMs: Math.max(stepMs, minute.bucketMs) };
  return { resolution: "hour", stepMs: Math.ceil(stepMs / hour.bucketMs) * hour.bucketMs };
}
