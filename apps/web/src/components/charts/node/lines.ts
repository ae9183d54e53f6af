import { type MetricName, metrics, type Series, type SeriesAnswer } from "@fairlead/domain/series";
import { type ChartData, type LineSpec, toChartData } from "../data/chart-data.ts";
import type { Unit } from "../data/quantity.ts";

/** The metrics of a chart, and the name of each line. */
export type Titles = Partial<Record<MetricName, string>>;

/** linesByMetric draws one line per metric of a subject, in the given order and with the given names. */
export function linesByMetric(answer: SeriesAnswer, titles: Titles): ChartData {
  const specs = Object.entries(titles).flatMap(([metric, title]): LineSpec[] => {
    const series = answer.series.find((each) => each.metric === metric);
    return series ? [{ title, series }] : [];
  });
  return toChartData(unitOf(titles), specs, answer.resolutionMs);
}

/** unitOf is the unit of a chart: all that it draws has the same. */
function unitOf(titles: Titles): Unit {
  const [first] = metricsOf(titles);
  if (!first) throw new Error("a chart draws at least one metric");
  return metrics[first].unit;
}

export function metricsOf(titles: Titles): MetricName[] {
  return Object.keys(titles) as MetricName[];
}

/** The interfaces to draw, and how many are left out. */
export type InterfaceLines = { data: ChartData; shown: string[]; hidden: number };

/** More interfaces than this are unreadable. */
export const maxInterfaces = 3;

/**
 * linesByInterface draws each metric for the busiest interfaces, by average, so that many idle interfaces don't hide
 * the one that matters.
 */
export function linesByInterface(answer: SeriesAnswer, titles: Titles): InterfaceLines {
  const names = [...new Set(answer.series.map(interfaceOf))];
  const weight = (name: string) =>
    answer.series.filter((each) => interfaceOf(each) === name).reduce((sum, each) => sum + mean(each), 0);
  const ranked = names.map((name) => ({ name, weight: weight(name) })).sort((a, b) => b.weight - a.weight);
  const shown = ranked.slice(0, maxInterfaces).map((each) => each.name);
  const specs = shown.flatMap((name) =>
    Object.entries(titles).flatMap(([metric, title]): LineSpec[] => {
      const series = answer.series.find((each) => each.metric === metric && interfaceOf(each) === name);
      return series ? [{ title: `${name} ${title}`.trim(), series }] : [];
    }),
  );
  return { data: toChartData(unitOf(titles), specs, answer.resolutionMs), shown, hidden: names.length - shown.length };
}

/** The worst counters only. */
const maxLosses = 6;

/** linesOfLosses draws the counters that lost anything, the worst first. */
export function linesOfLosses(answer: SeriesAnswer, titles: Titles): ChartData {
  const specs = answer.series
    .filter((series) => series.points.some((point) => point.max > 0))
    .map((series) => ({
      title: `${interfaceOf(series)} ${titles[series.metric] ?? ""}`.trim(),
      series,
      mean: mean(series),
    }))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, maxLosses);
  return toChartData("perSecond", specs, answer.resolutionMs);
}

/** The lines of a chart, and how many are left out. */
export type RoundTripLines = { data: ChartData; hidden: number };

/** More lines than colours are unreadable. */
export const maxRoundTrips = 6;

/** linesOfRoundTrips draws one line per other node, the farthest first. Nodes that are no longer measured are left out. */
export function linesOfRoundTrips(
  answer: SeriesAnswer,
  others: readonly { id: string; name: string }[],
): RoundTripLines {
  const names = new Map(others.map((each) => [each.id, each.name]));
  const specs = answer.series
    .flatMap((series) => {
      const title = names.get(series.labels.node ?? "");
      return title ? [{ title, series, mean: mean(series) }] : [];
    })
    .sort((a, b) => b.mean - a.mean || a.title.localeCompare(b.title));
  const data = toChartData("ms", specs.slice(0, maxRoundTrips), answer.resolutionMs);
  return { data, hidden: Math.max(0, specs.length - maxRoundTrips) };
}

/** linesBySubject draws one metric of several subjects, the highest average first. */
export function linesBySubject(answer: SeriesAnswer, unit: Unit, nameOf: (subjectId: string) => string): ChartData {
  const specs = answer.series
    .map((series) => ({ title: nameOf(series.subjectId), series, mean: mean(series) }))
    .sort((a, b) => b.mean - a.mean || a.title.localeCompare(b.title));
  return toChartData(unit, specs, answer.resolutionMs);
}

/** joinMetrics adds up the metrics of a subject at each instant, such as received and sent bytes. */
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

/** latestSums returns the latest value of each metric, summed over all its series. */
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
