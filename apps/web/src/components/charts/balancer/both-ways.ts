import type { MetricName, SeriesAnswer } from "@fairlead/domain/series";
import { type LineSpec, toChartData } from "../data/chart-data.ts";
import { joinSeries } from "../data/join-series.ts";
import { type Lines, linesOfMetric, type NameOf } from "./balancer-lines.ts";

/** What is measured of each way. */
export const ways = [
  { metric: "throughputBps", title: "From clients", way: "From" },
  { metric: "toClientsBps", title: "To clients", way: "To" },
] as const satisfies { metric: MetricName; title: string; way: string }[];

/** How many parts are drawn in addition to the total if each has two lines. */
export const maxBothWays = 2;

/** The path of replies to clients: through the balancer, past it, or unknown. */
export type ReplyPath = "through" | "bypass" | "unknown";

export function replyPathOf({ series }: SeriesAnswer): ReplyPath {
  const points = series.filter((each) => each.metric === "toClientsBps").flatMap((each) => each.points);
  if (points.length === 0) return "unknown";
  return points.some((point) => point.max > 0) ? "through" : "bypass";
}

/**
 * linesOfThroughput draws both directions if replies pass through the balancer: the total first, then the largest
 * parts.
 */
export function linesOfThroughput(answer: SeriesAnswer, nameOf: NameOf, whole: string): Lines {
  if (replyPathOf(answer) !== "through") return linesOfMetric(answer, "throughputBps", nameOf, whole);
  const series = answer.series.filter((each) => ways.some((way) => way.metric === each.metric));
  const bothWays = (group: typeof series, part: string | null) =>
    ways.flatMap(({ metric, title, way }): LineSpec[] => {
      const ofMetric = group.filter((each) => each.metric === metric);
      if (ofMetric.length === 0) return [];
      const line = joinSeries(ofMetric, answer.resolutionMs, "sum");
      // The direction comes first, because a long name may be cut off.
      return [{ title: part === null ? title : `${way}, by ${part}`, series: line }];
    });
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([name, group]) => ({ name, lines: bothWays(group, name) }))
    .sort((a, b) => meanOf(b.lines) - meanOf(a.lines) || a.name.localeCompare(b.name));
  const shown = parts.length > 1 ? parts.slice(0, maxBothWays).flatMap((part) => part.lines) : [];
  const all = bothWays(series, null);
  return {
    data: toChartData("bps", [...all, ...shown], answer.resolutionMs),
    hidden: Math.max(0, parts.length - maxBothWays),
  };
}

function meanOf(lines: LineSpec[]): number {
  return lines.reduce((all, { series: { points } }) => {
    return all + points.reduce((sum, point) => sum + point.avg, 0) / Math.max(1, points.length);
  }, 0);
}
