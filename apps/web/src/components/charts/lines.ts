import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain";
import { type ChartData, type LineSpec, toChartData } from "./chart-data.ts";
import type { Unit } from "./quantity.ts";

/** linesByMetric draws one line for each metric of one subject, in the order and with the names given. */
export function linesByMetric(
  answer: SeriesAnswer,
  unit: Unit,
  titles: Partial<Record<MetricName, string>>,
): ChartData {
  const specs = Object.entries(titles).flatMap(([metric, title]): LineSpec[] => {
    const series = answer.series.find((each) => each.metric === metric);
    return series ? [{ title, series }] : [];
  });
  return toChartData(unit, specs, answer.resolutionMs);
}

/** The interfaces that are worth a line, and how many are left out. */
export type InterfaceLines = { data: ChartData; shown: string[]; hidden: number };

/** More interfaces than this make a tangle. */
export const mostInterfaces = 3;

/**
 * linesByInterface draws each metric for the busiest interfaces: those whose figures were the largest on average,
 * so that a hundred idle ones don't hide the one that matters.
 */
export function linesByInterface(
  answer: SeriesAnswer,
  unit: Unit,
  titles: Partial<Record<MetricName, string>>,
): InterfaceLines {
  const names = [...new Set(answer.series.map(interfaceOf))];
  const weight = (name: string) =>
    answer.series.filter((each) => interfaceOf(each) === name).reduce((sum, each) => sum + mean(each), 0);
  const ranked = names.map((name) => ({ name, weight: weight(name) })).sort((a, b) => b.weight - a.weight);
  const shown = ranked.slice(0, mostInterfaces).map((each) => each.name);
  const specs = shown.flatMap((name) =>
    Object.entries(titles).flatMap(([metric, title]): LineSpec[] => {
      const series = answer.series.find((each) => each.metric === metric && interfaceOf(each) === name);
      return series ? [{ title: `${name} ${title}`.trim(), series }] : [];
    }),
  );
  return { data: toChartData(unit, specs, answer.resolutionMs), shown, hidden: names.length - shown.length };
}

/** More lines than this are more than the worst offenders. */
const mostLosses = 6;

/** linesOfLosses draws what lost anything at all, the worst first. Everything that lost nothing is left out. */
export function linesOfLosses(answer: SeriesAnswer, titles: Partial<Record<MetricName, string>>): ChartData {
  const specs = answer.series
    .filter((series) => series.points.some((point) => point.max > 0))
    .map((series) => ({
      title: `${interfaceOf(series)} ${titles[series.metric] ?? ""}`.trim(),
      series,
      mean: mean(series),
    }))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, mostLosses);
  return toChartData("perSecond", specs, answer.resolutionMs);
}

/** linesBySubject draws one metric of several subjects, the highest on average first. */
export function linesBySubject(answer: SeriesAnswer, unit: Unit, nameOf: (subjectId: string) => string): ChartData {
  const specs = answer.series
    .map((series) => ({ title: nameOf(series.subjectId), series, mean: mean(series) }))
    .sort((a, b) => b.mean - a.mean || a.title.localeCompare(b.title));
  return toChartData(unit, specs, answer.resolutionMs);
}

/** joinMetrics adds up the metrics of a subject, moment by moment: what it received and what it sent. */
export function joinMetrics(answer: SeriesAnswer): SeriesAnswer {
  const bySubject = Map.groupBy(answer.series, (each) => each.subjectId);
  const series = [...bySubject.values()].flatMap((group): Series[] => {
    const [first] = group;
    if (!first) return [];
    const moments = new Map<number, Series["points"][number]>();
    for (const point of group.flatMap((each) => each.points)) {
      const sum = moments.get(point.at.getTime());
      moments.set(point.at.getTime(), {
        at: point.at,
        min: (sum?.min ?? 0) + point.min,
        avg: (sum?.avg ?? 0) + point.avg,
        max: (sum?.max ?? 0) + point.max,
      });
    }
    const points = [...moments.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
    return [{ ...first, points }];
  });
  return { ...answer, series };
}

export type Latest = { value: number; at: Date };

/** latestSums is what was measured last of each metric, added up over all its series. */
export function latestSums(answer: SeriesAnswer): Partial<Record<MetricName, Latest>> {
  const sums: Partial<Record<MetricName, Latest>> = {};
  for (const series of answer.series) {
    const last = series.points.at(-1);
    if (!last) continue;
    const sum = sums[series.metric];
    const at = sum && sum.at > last.at ? sum.at : last.at;
    sums[series.metric] = { value: (sum?.value ?? 0) + last.avg, at };
  }
  return sums;
}

function interfaceOf(series: Series): string {
  return series.labels.interface ?? "";
}

function mean(series: Series): number {
  return series.points.reduce((sum, point) => sum + point.avg, 0) / Math.max(1, series.points.length);
}
