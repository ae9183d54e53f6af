import type { MetricName, SeriesAnswer } from "@fairlead/domain";
import { type Lines, linesOfMetric, type NameOf } from "./balancer-lines.ts";
import { type LineSpec, toChartData } from "./chart-data.ts";
import { joinSeries } from "./join-series.ts";

const ways = [
  { metric: "throughputBps", title: "From clients", way: "From" },
  { metric: "toClientsBps", title: "To clients", way: "To" },
] as const satisfies { metric: MetricName; title: string; way: string }[];

/** So many parts are drawn besides the whole where each has two lines. */
export const mostBothWays = 2;

/** What is known of the answers to clients: that they pass the balancer, that they pass it by, or nothing. */
export type Answers = "pass" | "pass by" | "unknown";

export function answersOf({ series }: SeriesAnswer): Answers {
  const points = series.filter((each) => each.metric === "toClientsBps").flatMap((each) => each.points);
  if (points.length === 0) return "unknown";
  return points.some((point) => point.max > 0) ? "pass" : "pass by";
}

/** linesOfThroughput draws both ways where answers pass the balancer: the whole first, then the largest of several parts. */
export function linesOfThroughput(answer: SeriesAnswer, nameOf: NameOf, whole: string): Lines {
  if (answersOf(answer) !== "pass") return linesOfMetric(answer, "throughputBps", "bps", nameOf, whole);
  const series = answer.series.filter((each) => ways.some((way) => way.metric === each.metric));
  const bothWays = (group: typeof series, part: string | null) =>
    ways.flatMap(({ metric, title, way }): LineSpec[] => {
      const ofMetric = group.filter((each) => each.metric === metric);
      if (ofMetric.length === 0) return [];
      const line = joinSeries(ofMetric, answer.resolutionMs, "sum");
      // The way comes first: a long name may be cut off.
      return [{ title: part === null ? title : `${way}, by ${part}`, series: line }];
    });
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([name, group]) => ({ name, lines: bothWays(group, name) }))
    .sort((a, b) => meanOf(b.lines) - meanOf(a.lines) || a.name.localeCompare(b.name));
  const shown = parts.length > 1 ? parts.slice(0, mostBothWays).flatMap((part) => part.lines) : [];
  const all = bothWays(series, null);
  return {
    data: toChartData("bps", [...all, ...shown], answer.resolutionMs),
    hidden: Math.max(0, parts.length - mostBothWays),
  };
}

function meanOf(lines: LineSpec[]): number {
  return lines.reduce((all, { series: { points } }) => {
    return all + points.reduce((sum, point) => sum + point.avg, 0) / Math.max(1, points.length);
  }, 0);
}
