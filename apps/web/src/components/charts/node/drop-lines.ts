import type { SeriesAnswer } from "@fairlead/domain/series";
import { type ChartData, toChartData } from "../data/chart-data.ts";
import { joinSeries } from "../data/join-series.ts";

/** Display names of the engines' drop reasons. A reason from a newer agent keeps its own name. */
const reasons: Record<string, string> = {
  backend_unreachable: "backend unreachable",
  fragment: "fragmented packet",
  malformed: "malformed",
  nat_ports: "no port left for NAT",
  no_backend: "no backend available",
  not_kept: "no room to hold its connection",
  no_hello: "TLS hello missing or late",
  rewrite: "rewrite failed",
  table_full: "too many connections",
  too_big: "packet too big",
  unknown_server_name: "TLS server name unknown or missing",
  unresolved: "backend's link-layer address unknown",
};

/** The worst reasons only. */
const maxReasons = 6;

/** linesOfDrops draws each reason that dropped packets, the worst first. */
export function linesOfDrops(answer: SeriesAnswer): ChartData {
  const specs = [...Map.groupBy(answer.series, (each) => each.labels.reason ?? "")]
    .map(([reason, group]) => ({
      title: reasons[reason] ?? reason.replaceAll("_", " "),
      series: joinSeries(group, answer.resolutionMs, "sum"),
    }))
    .filter(({ series }) => series.points.some((point) => point.max > 0))
    .sort((a, b) => worst(b.series.points) - worst(a.series.points) || a.title.localeCompare(b.title))
    .slice(0, maxReasons);
  return toChartData("perSecond", specs, answer.resolutionMs);
}

function worst(points: { max: number }[]): number {
  return points.reduce((highest, point) => Math.max(highest, point.max), 0);
}
