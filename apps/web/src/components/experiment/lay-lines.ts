import type { ExperimentSeries } from "@fairlead/domain";
import { type ChartData, toChartData } from "../charts/chart-data.ts";
import type { Unit } from "../charts/quantity.ts";

type Point = ExperimentSeries["throughputBps"][number];

/** layLine makes a line of one figure, with a gap where nobody measured it. */
export function layLine(unit: Unit, title: string, points: readonly Point[]): ChartData {
  const intervalMs = usualDistance(points);
  const own = points.map(({ at, value }) => ({ at, min: value, avg: value, max: value }));
  return toChartData(unit, [{ title, series: { points: own, intervalMs } }], intervalMs);
}

/** The wide among the usual distances: sources that speak in turn make every other one short. */
function usualDistance(points: readonly Point[]): number {
  const distances = points.slice(1).map((point, i) => point.at.getTime() - (points[i]?.at.getTime() ?? 0));
  distances.sort((a, b) => a - b);
  return distances[Math.floor(distances.length * 0.8)] ?? 1_000;
}
