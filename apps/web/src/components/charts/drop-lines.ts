import type { SeriesAnswer } from "@fairlead/domain";
import { type ChartData, toChartData } from "./chart-data.ts";
import { joinSeries } from "./join-series.ts";

/** What the engines call the reasons, in words. A reason of a newer agent keeps its own name. */
const reasons: Record<string, string> = {
  backend_unreachable: "backend does not answer",
  fragment: "fragment of a packet",
  malformed: "malformed",
  nat_ports: "no port left for NAT",
  no_backend: "no backend to take it",
  no_hello: "no hello of TLS, or too late",
  rewrite: "could not be rewritten",
  table_full: "too many connections",
  too_big: "too big for the way on",
  unknown_server_name: "TLS server name unknown or missing",
  unresolved: "backend's link address unknown",
};

/** More lines than this are more than the worst offenders. */
const mostReasons = 6;

/** linesOfDrops draws each reason that cost a packet, the worst first. */
export function linesOfDrops(answer: SeriesAnswer): ChartData {
  const specs = [...Map.groupBy(answer.series, (each) => each.labels.reason ?? "")]
    .map(([reason, group]) => ({
      title: reasons[reason] ?? reason.replaceAll("_", " "),
      series: joinSeries(group, answer.resolutionMs, "sum"),
    }))
    .filter(({ series }) => series.points.some((point) => point.max > 0))
    .sort((a, b) => worst(b.series.points) - worst(a.series.points) || a.title.localeCompare(b.title))
    .slice(0, mostReasons);
  return toChartData("perSecond", specs, answer.resolutionMs);
}

function worst(points: { max: number }[]): number {
  return points.reduce((highest, point) => Math.max(highest, point.max), 0);
}
