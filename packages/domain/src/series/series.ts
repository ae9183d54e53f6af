import { z } from "zod";
import { moment } from "../moment.ts";
import { plainText } from "../plain-text.ts";
import { metricName } from "./metric.ts";

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
    intervalMs: z.int().describe("The usual interval of the points. A much wider gap means that nothing was measured."),
    points: z.array(seriesPoint),
  })
  .meta({ id: "Series" });
export type Series = z.infer<typeof series>;

/** Which series of a query are added up. */
const sums = ["series", "subject", "labels"] as const;
export type SumBy = (typeof sums)[number];

export const querySeries = z
  .strictObject({
    subjectIds: z.array(plainText(64).min(1)).min(1).max(20),
    metrics: z.array(metricName).min(1).max(12),
    from: moment,
    to: moment.describe("Later than from."),
    maxPoints: z.int().min(3).max(1_000).default(300),
    sumBy: z
      .enum(sums)
      .optional()
      .describe(
        "Default: series. subject: the sum of all series of one subject and metric at each step, such as the traffic of all its interfaces. labels: the sum over all subjects and agents, one series for each metric and its other labels, with the first subject's id. The last value of a series counts for two and a half of its intervals, so that sources may report at different times. Minimum and maximum are the sums of those of each series.",
      ),
  })
  .refine((query) => query.from < query.to, { path: ["to"], message: "to must be later than from" });
export type QuerySeries = z.infer<typeof querySeries>;

export const seriesAnswer = z.object({ resolutionMs: z.int(), series: z.array(series) }).meta({ id: "SeriesAnswer" });
export type SeriesAnswer = z.infer<typeof seriesAnswer>;

/** The tables of samples, with their resolution and retention. */
export const resolutions = {
  raw: { bucketMs: 0, retentionMs: 24 * 3_600_000 },
  minute: { bucketMs: 60_000, retentionMs: 30 * 24 * 3_600_000 },
  hour: { bucketMs: 3_600_000, retentionMs: 2 * 365 * 24 * 3_600_000 },
} as const;
export type Resolution = keyof typeof resolutions;

/** The accepted age of samples: none that are about to expire, none from a clock that is far ahead. */
export const sampleWindow = { pastMs: resolutions.raw.retentionMs - 3_600_000, futureMs: 5 * 60_000 } as const;

const niceSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000,
];

export type SeriesPlan = { resolution: Resolution; stepMs: number; from: Date; to: Date };

/** The number of buckets, or samples, that can be read and summed in a second or two. */
export const mostBuckets = 4_000_000;

/** countBuckets is the maximum number of rows that a plan reads. The shortest sample interval is a second. */
export function countBuckets({ resolution, from, to }: SeriesPlan, seriesCount: number): number {
  return (seriesCount * (to.getTime() - from.getTime())) / Math.max(resolutions[resolution].bucketMs, 1_000);
}

/**
 * planSeries picks the coarsest table that still fills the chart, and a round step for at most maxPoints. It widens the range
 * to whole steps, so that the same time is in the same step in every query. For very many series it picks a coarser table, to
 * keep the query fast enough.
 */
export function planSeries(query: { from: Date; to: Date; maxPoints: number }, now: Date, seriesCount = 1): SeriesPlan {
  const plan = planFinest(query, now);
  if (plan.resolution === "hour" || countBuckets(plan, seriesCount) <= mostBuckets) return plan;
  const minutes = toStep(query, "minute", Math.max(plan.stepMs, resolutions.minute.bucketMs));
  if (countBuckets(minutes, seriesCount) <= mostBuckets) return minutes;
  const hourMs = resolutions.hour.bucketMs;
  return toStep(query, "hour", Math.ceil(plan.stepMs / hourMs) * hourMs);
}

function planFinest(query: { from: Date; to: Date; maxPoints: number }, now: Date): SeriesPlan {
  const spanMs = query.to.getTime() - query.from.getTime();
  // Two fewer, because widening to whole steps may add one at either end.
  const wantedS = spanMs / (query.maxPoints - 2) / 1_000;
  const stepS = niceSteps.find((step) => step >= wantedS) ?? Math.ceil(wantedS / 86_400) * 86_400;
  const { resolution, stepMs } = pickResolution(stepS * 1_000, now.getTime() - query.from.getTime());
  return toStep(query, resolution, stepMs);
}

function toStep(query: { from: Date; to: Date }, resolution: Resolution, stepMs: number): SeriesPlan {
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
