import { z } from "zod";
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
    points: z.array(seriesPoint),
  })
  .meta({ id: "Series" });
export type Series = z.infer<typeof series>;

export const querySeries = z
  .object({
    subjectIds: z.array(z.string().min(1).max(64)).min(1).max(20),
    metrics: z.array(metricName).min(1).max(12),
    from: z.coerce.date(),
    to: z.coerce.date(),
    maxPoints: z.coerce.number().int().min(10).max(1_000).default(300),
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

const niceSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000,
];

/** planSeries picks the coarsest table that still fills the chart, and a round step of at most maxPoints. */
export function planSeries(
  query: { from: Date; to: Date; maxPoints: number },
  now: Date,
): { resolution: Resolution; stepMs: number } {
  const spanMs = query.to.getTime() - query.from.getTime();
  const wantedS = spanMs / query.maxPoints / 1_000;
  const stepS = niceSteps.find((step) => step >= wantedS) ?? Math.ceil(wantedS / 86_400) * 86_400;
  const ageMs = now.getTime() - query.from.getTime();
  const fits = (resolution: Resolution) => ageMs <= resolutions[resolution].retentionMs;
  const stepMs = stepS * 1_000;
  if (stepMs >= resolutions.hour.bucketMs && stepMs % resolutions.hour.bucketMs === 0)
    return { resolution: "hour", stepMs };
  if (stepMs >= resolutions.minute.bucketMs && fits("minute")) return { resolution: "minute", stepMs };
  if (stepMs < resolutions.minute.bucketMs && fits("raw")) return { resolution: "raw", stepMs };
  if (fits("minute")) return { resolution: "minute", stepMs: Math.max(stepMs, resolutions.minute.bucketMs) };
  return { resolution: "hour", stepMs: Math.max(Math.ceil(stepMs / 3_600_000) * 3_600_000, resolutions.hour.bucketMs) };
}
