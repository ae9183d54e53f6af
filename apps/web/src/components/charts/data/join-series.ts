import type { Series } from "@fairlead/domain/series";
import { toChartData } from "./chart-data.ts";

type Line = Pick<Series, "points" | "intervalMs">;

/** How several series are combined: their sum, or their maximum at each instant. */
export type Joining = "sum" | "highest";

/**
 * joinSeries combines several series into one. Each source reports at its own instants, so short holes are bridged
 * first. Otherwise a sum would drop whenever one source is slightly late.
 */
export function joinSeries(series: readonly Line[], resolutionMs: number, joining: Joining): Line {
  const [first] = series;
  if (series.length === 1 && first) return first;
  const specs = series.map((each) => ({ title: "", series: each }));
  const { rows } = toChartData("count", specs, resolutionMs);
  const join = (values: number[]) =>
    joining === "sum" ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values);
  const points = rows.flatMap(({ at, values, bands }) => {
    const there = values.filter((value) => value !== null);
    if (there.length === 0) return [];
    const known = bands.filter((band) => band !== null);
    return [
      {
        at: new Date(at),
        min: join(known.map((band) => band[0])),
        avg: join(there),
        max: join(known.map((band) => band[1])),
      },
    ];
  });
  return { points, intervalMs: Math.max(resolutionMs, ...series.map((each) => each.intervalMs)) };
}
