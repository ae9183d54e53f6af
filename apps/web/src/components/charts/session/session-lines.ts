import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain/series";
import type { Lines, NameOf } from "../balancer/balancer-lines.ts";
import { type LineSpec, toChartData } from "../data/chart-data.ts";
import { joinSeries } from "../data/join-series.ts";

/** What names a returning client's session, in display order. */
const returning = { psk: "PSK (TLS 1.3)", ticket: "ticket (TLS 1.2)", id: "session id (TLS 1.2)" } as const;
const kinds = { ...returning, new: "new session", unreadable: "unreadable" } as const;
/** Where a returning client's connection was placed. */
const outcomes = { home: "home", gone: "backend gone", unknown: "unknown name" } as const;

/** What became of the search for a session id. */
const searches = { found: "found", absent: "no backend has it", unanswered: "not all answered" } as const;

/** A replica has two lines, so with more replicas than this their sums are drawn. */
const mostReplicas = 3;

/** linesOfKinds draws the ClientHellos of all replicas by what names their session. */
export function linesOfKinds(answer: SeriesAnswer): Lines {
  return linesByLabel(answer, "sessionHellosPerSecond", "kind", kinds);
}

/** linesOfOutcomes draws the ClientHellos that named a session, by whether they were placed at its backend. */
export function linesOfOutcomes(answer: SeriesAnswer): Lines {
  return linesByLabel(answer, "sessionHellosPerSecond", "outcome", outcomes);
}

/** linesOfIdSearches draws the ClientHellos whose session id was searched at the backends. */
export function linesOfIdSearches(answer: SeriesAnswer): Lines {
  return linesByLabel(answer, "sessionIdSearchesPerSecond", "outcome", searches);
}

function linesByLabel(
  answer: SeriesAnswer,
  metric: MetricName,
  label: "kind" | "outcome",
  titles: Record<string, string>,
): Lines {
  const hellos = metricOf(answer, metric);
  const specs = Object.entries(titles).flatMap(([value, title]): LineSpec[] => {
    const group = hellos.filter((each) => each.labels[label] === value);
    return group.length > 0 ? [{ title, series: joinSeries(group, answer.resolutionMs, "sum") }] : [];
  });
  return { data: toChartData("perSecond", specs, answer.resolutionMs), hidden: 0 };
}

/** linesOfHitRate draws the share of returning clients that were placed at the backend of their session. */
export function linesOfHitRate(answer: SeriesAnswer): Lines {
  const returns = metricOf(answer, "sessionHellosPerSecond").filter((each) => (each.labels.kind ?? "") in returning);
  const byKind = Object.entries(returning).flatMap(([kind, title]) => {
    const series = hitRateOf(
      returns.filter((each) => each.labels.kind === kind),
      answer.resolutionMs,
    );
    return series.points.length > 0 ? [{ title, series }] : [];
  });
  const all = { title: "all returning clients", series: hitRateOf(returns, answer.resolutionMs) };
  return {
    data: toChartData("ratio", byKind.length > 1 ? [all, ...byKind] : byKind, answer.resolutionMs),
    hidden: 0,
  };
}

/** hitRateOf has no point where no client returned. */
function hitRateOf(returns: readonly Series[], resolutionMs: number): LineSpec["series"] {
  const whole = joinSeries(returns, resolutionMs, "sum");
  const home = returns.filter((each) => each.labels.outcome === "home");
  const atHome = new Map(
    joinSeries(home, resolutionMs, "sum").points.map((each) => [slotOf(each.at, whole), each.avg]),
  );
  const points = whole.points.flatMap(({ at, avg }) => {
    if (avg <= 0) return [];
    const found = home.length > 0 ? atHome.get(slotOf(at, whole)) : 0;
    if (found === undefined) return [];
    const ratio = Math.min(1, found / avg);
    return [{ at, min: ratio, avg: ratio, max: ratio }];
  });
  return { points, intervalMs: whole.intervalMs };
}

function slotOf(at: Date, { intervalMs }: LineSpec["series"]): number {
  return Math.floor(at.getTime() / Math.max(1, intervalMs));
}

/** linesOfSyns draws the SYNs that replicas answered next to the hellos that followed. A flood has only SYNs. */
export function linesOfSyns(answer: SeriesAnswer, nameOf: NameOf): Lines {
  const pairs = { SYNs: metricOf(answer, "sessionSynsPerSecond"), hellos: metricOf(answer, "sessionHellosPerSecond") };
  const names = [...new Set(Object.values(pairs).flat().map(nameOf))].sort();
  const isSplit = names.length > 1 && names.length <= mostReplicas;
  const specs = (isSplit ? names : [null]).flatMap((name) =>
    Object.entries(pairs).flatMap(([title, series]): LineSpec[] => {
      const group = name === null ? series : series.filter((each) => nameOf(each) === name);
      if (group.length === 0) return [];
      const joined = joinSeries(group, answer.resolutionMs, "sum");
      return [{ title: name === null ? title : `${name} ${title}`, series: joined }];
    }),
  );
  return { data: toChartData("perSecond", specs, answer.resolutionMs), hidden: 0 };
}

function metricOf(answer: SeriesAnswer, metric: MetricName): Series[] {
  return answer.series.filter((each) => each.metric === metric);
}
