import type { ExperimentSeries } from "@fairlead/domain/experiment";
import { type ChartData, toChartData } from "../charts/data/chart-data.ts";
import type { Unit } from "../charts/data/quantity.ts";

type Point = ExperimentSeries["throughputBps"][number];

/** layLine builds a line of one metric, with gaps where there are no samples. */
export function layLine(unit: Unit, title: string, points: readonly Point[]): ChartData {
  const intervalMs = usualDistance(points);
  const own = points.map(({ at, value }) => ({ at, min: value, avg: value, max: value }));
  return toChartData(unit, [{ title, series: { points: own, intervalMs } }], intervalMs);
}

/** A high percentile of the distances: if sources report in turn, every other distance is short. */
function usualDistance(points: readonly Point[]): number {
  const distances = points.slice(1).map((point, i) => point.at.getTime() - (points[i]?.at.getTime() ?? 0));
  distances.sort((a, b) => a - b);
  return distances[Math.floor(distances.length * 0.8)] ?? 1_000;
}
