import { type MetricName, metrics, type Series, type SeriesAnswer } from "@fairlead/domain/series";
import { type ChartData, type LineSpec, toChartData } from "../data/chart-data.ts";
import { joinSeries } from "../data/join-series.ts";

/** Returns the display name of a series. Series with the same name become one line. */
export type NameOf = (series: Pick<Series, "subjectId" | "labels">) => string;
export type Lines = { data: ChartData; hidden: number };

/** More lines than this are unreadable. */
export const maxLines = 4;

/** linesOfMetric draws a metric that can be summed: the total first, then its largest parts if there are several. */
export function linesOfMetric(answer: SeriesAnswer, metric: MetricName, nameOf: NameOf, whole: string): Lines {
  const series = answer.series.filter((each) => each.metric === metric);
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([title, group]) => ({ title, series: joinSeries(group, answer.resolutionMs, "sum") }))
    .sort((a, b) => meanOf(b) - meanOf(a) || a.title.localeCompare(b.title));
  const shown: LineSpec[] = parts.slice(0, maxLines);
  if (parts.length > 1) shown.unshift({ title: whole, series: joinSeries(series, answer.resolutionMs, "sum") });
  return {
    data: toChartData(metrics[metric].unit, shown, answer.resolutionMs),
    hidden: Math.max(0, parts.length - maxLines),
  };
}

/**
 * linesOfTimes draws a median and a high percentile. Percentiles of several replicas can't be summed, so each replica
 * has its own lines. If there are too many, only the slowest is drawn.
 */
export function linesOfTimes(answer: SeriesAnswer, titles: Partial<Record<MetricName, string>>, nameOf: NameOf): Lines {
  const named = Object.entries(titles);
  const series = answer.series.filter((each) => titles[each.metric] !== undefined);
  const names = [...new Set(series.map(nameOf))].sort();
  const isSplit = names.length > 1 && names.length * named.length <= maxLines;
  const specs = (isSplit ? names : [null]).flatMap((name) =>
    named.flatMap(([metric, title]): LineSpec[] => {
      const group = series.filter((each) => each.metric === metric && (name === null || nameOf(each) === name));
      if (group.length === 0) return [];
      const slowest = name === null && names.length > 1 ? ", the slowest" : "";
      const line = joinSeries(group, answer.resolutionMs, "highest");
      return [{ title: name === null ? `${title}${slowest}` : `${name} ${title}`, series: line }];
    }),
  );
  return { data: toChartData("ms", specs, answer.resolutionMs), hidden: 0 };
}

/** linesOfSlowest draws a latency that can't be summed: the maximum of each series, the slowest first. */
export function linesOfSlowest(answer: SeriesAnswer, metric: MetricName, nameOf: NameOf): Lines {
  const series = answer.series.filter((each) => each.metric === metric);
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([title, group]) => ({ title, series: joinSeries(group, answer.resolutionMs, "highest") }))
    .sort((a, b) => meanOf(b) - meanOf(a) || a.title.localeCompare(b.title));
  const shown = parts.slice(0, maxLines);
  return { data: toChartData("ms", shown, answer.resolutionMs), hidden: parts.length - shown.length };
}

/** linesOfRatio draws a ratio, which can't be summed: that of each series, the lowest first. */
export function linesOfRatio(answer: SeriesAnswer, metric: MetricName, nameOf: NameOf): Lines {
  const series = answer.series.filter((each) => each.metric === metric);
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([title, group]) => ({ title, series: joinSeries(group, answer.resolutionMs, "highest") }))
    .sort((a, b) => meanOf(a) - meanOf(b) || a.title.localeCompare(b.title));
  const shown = parts.slice(0, maxLines);
  return {
    data: toChartData(metrics[metric].unit, shown, answer.resolutionMs),
    hidden: parts.length - shown.length,
  };
}

/** hasMetric reports whether a metric has any points. */
export function hasMetric(answer: SeriesAnswer, names: readonly string[]): boolean {
  return answer.series.some((each) => names.includes(each.metric));
}

function meanOf({ series: { points } }: LineSpec): number {
  return points.reduce((sum, point) => sum + point.avg, 0) / Math.max(1, points.length);
}
