import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain";
import { type ChartData, type LineSpec, toChartData } from "./chart-data.ts";
import { joinSeries } from "./join-series.ts";
import type { Unit } from "./quantity.ts";

/** Whose a series is, as people call it; series of one name become one line. */
export type NameOf = (series: Pick<Series, "subjectId" | "labels">) => string;
export type Lines = { data: ChartData; hidden: number };

/** More lines than this make a tangle. */
export const mostLines = 4;

/** linesOfMetric draws a metric that may be added up: the whole first, then its largest parts where there are several. */
export function linesOfMetric(
  answer: SeriesAnswer,
  metric: MetricName,
  unit: Unit,
  nameOf: NameOf,
  whole: string,
): Lines {
  const series = answer.series.filter((each) => each.metric === metric);
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([title, group]) => ({ title, series: joinSeries(group, answer.resolutionMs, "sum") }))
    .sort((a, b) => meanOf(b) - meanOf(a) || a.title.localeCompare(b.title));
  const shown: LineSpec[] = parts.slice(0, mostLines);
  if (parts.length > 1) shown.unshift({ title: whole, series: joinSeries(series, answer.resolutionMs, "sum") });
  return { data: toChartData(unit, shown, answer.resolutionMs), hidden: Math.max(0, parts.length - mostLines) };
}

/**
 * linesOfTimes draws a median and a high percentile. Those of several replicas can't be added up, so each has its own
 * lines, and where that would be a tangle the slowest of all is drawn.
 */
export function linesOfTimes(answer: SeriesAnswer, titles: Partial<Record<MetricName, string>>, nameOf: NameOf): Lines {
  const metrics = Object.entries(titles);
  const series = answer.series.filter((each) => titles[each.metric] !== undefined);
  const names = [...new Set(series.map(nameOf))].sort();
  const isSplit = names.length > 1 && names.length * metrics.length <= mostLines;
  const specs = (isSplit ? names : [null]).flatMap((name) =>
    metrics.flatMap(([metric, title]): LineSpec[] => {
      const group = series.filter((each) => each.metric === metric && (name === null || nameOf(each) === name));
      if (group.length === 0) return [];
      const slowest = name === null && names.length > 1 ? ", the slowest" : "";
      const line = joinSeries(group, answer.resolutionMs, "highest");
      return [{ title: name === null ? `${title}${slowest}` : `${name} ${title}`, series: line }];
    }),
  );
  return { data: toChartData("ms", specs, answer.resolutionMs), hidden: 0 };
}

/** linesOfSlowest draws a time that can't be added up: of each the highest of its series, the slowest first. */
export function linesOfSlowest(answer: SeriesAnswer, metric: MetricName, nameOf: NameOf): Lines {
  const series = answer.series.filter((each) => each.metric === metric);
  const parts = [...Map.groupBy(series, nameOf)]
    .map(([title, group]) => ({ title, series: joinSeries(group, answer.resolutionMs, "highest") }))
    .sort((a, b) => meanOf(b) - meanOf(a) || a.title.localeCompare(b.title));
  const shown = parts.slice(0, mostLines);
  return { data: toChartData("ms", shown, answer.resolutionMs), hidden: parts.length - shown.length };
}

/** hasMetric says whether anything was measured of it. */
export function hasMetric(answer: SeriesAnswer, metrics: readonly string[]): boolean {
  return answer.series.some((each) => metrics.includes(each.metric));
}

function meanOf({ series: { points } }: LineSpec): number {
  return points.reduce((sum, point) => sum + point.avg, 0) / Math.max(1, points.length);
}
