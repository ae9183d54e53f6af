"use client";
import type { MetricAt, SeriesAnswer } from "@fairlead/domain/series";
import { useMemo } from "react";
import { type Lines, linesOfMetric, maxLines, type NameOf } from "../balancer/balancer-lines.ts";
import { ChartGrid } from "../chart-grid.tsx";
import { ChartPanel } from "../chart-panel.tsx";
import { type SeriesState, useSeries } from "../data/use-series.ts";
import type { SeriesQuestion } from "../data/use-series-window.ts";
import { linesOfHitRate, linesOfIdSearches, linesOfKinds, linesOfOutcomes, linesOfSyns } from "./session-lines.ts";

const ofReplicas: MetricAt<"balancer">[] = [
  "sessionHellosPerSecond",
  "sessionSynsPerSecond",
  "sessionQuestionsPerSecond",
  "sessionIdSearchesPerSecond",
  "sessionHeldHellos",
];
const ofBackends: MetricAt<"backend">[] = ["sessionAcceptedPerSecond"];

/** What replicas measured of hellos, and the agents next to servers of connections. */
export type SessionSeries = { replicas: SeriesState | null; backends: SeriesState | null };

export function useSessionSeries(balancerIds: string[], backendIds: string[], replicas: number): SessionSeries {
  return {
    replicas: useSeries(questionOfReplicas(balancerIds, replicas)),
    backends: useSeries({ subjectIds: backendIds, metrics: ofBackends, sumBy: "subject" }),
  };
}

/** With more replicas, their sums are drawn: the server returns at most 240 series, and a replica has 17. */
const mostReplicas = 14;

/** questionOfReplicas requests what each replica measured, or the sums of all. */
export function questionOfReplicas(subjectIds: string[], replicas: number): SeriesQuestion {
  return { subjectIds, metrics: ofReplicas, ...(isSummed(replicas) ? { sumBy: "labels" } : {}) };
}

/** isSummed reports whether the charts have no lines of single replicas. */
export function isSummed(replicas: number): boolean {
  return replicas > mostReplicas;
}

type Names = { replicaOf: NameOf; backendOf: NameOf };

type SessionChart = {
  title: string;
  hint: string;
  from: keyof SessionSeries;
  /** How many lines to reserve space for, with this many replicas or backends. */
  lines: (parts: number) => number;
  linesOf: (answer: SeriesAnswer, names: Names) => Lines;
  empty: string;
};

const none = "No samples in this range.";
const withSum = (parts: number) => (parts > 1 ? Math.min(parts, maxLines) + 1 : 1);

/** In the order of a search for why clients don't return: how many did, of which kind, and what the replicas had to do. */
const charts: readonly SessionChart[] = [
  {
    title: "Hit rate",
    hint: "returning clients at the backend of their session",
    ...{ from: "replicas", lines: () => 3, linesOf: linesOfHitRate },
    empty: "No returning clients in this range.",
  },
  {
    title: "Returning clients",
    hint: "by outcome",
    ...{ from: "replicas", lines: () => 3, linesOf: linesOfOutcomes, empty: none },
  },
  {
    title: "TLS hellos",
    hint: "by what names the session",
    ...{ from: "replicas", lines: () => 5, linesOf: linesOfKinds, empty: none },
  },
  {
    title: "SYNs and hellos",
    hint: "a flood has only SYNs",
    from: "replicas",
    lines: (parts) => (parts > 1 && parts <= 3 ? 2 * parts : 2),
    linesOf: (answer, { replicaOf }) => linesOfSyns(answer, replicaOf),
    empty: none,
  },
  {
    title: "Accepted connections",
    hint: "by backend, from balancers",
    from: "backends",
    lines: withSum,
    linesOf: (answer, { backendOf }) => linesOfMetric(answer, "sessionAcceptedPerSecond", backendOf, "all backends"),
    empty: none,
  },
  {
    title: "Searched connections",
    hint: "of other replicas",
    from: "replicas",
    lines: withSum,
    linesOf: (answer, { replicaOf }) => linesOfMetric(answer, "sessionQuestionsPerSecond", replicaOf, "all replicas"),
    empty: none,
  },
  {
    title: "Searched session ids",
    hint: "unknown to a replica, by outcome",
    ...{ from: "replicas", lines: () => 3, linesOf: linesOfIdSearches, empty: none },
  },
  {
    title: "Waiting hellos",
    hint: "for other packets, or a search",
    from: "replicas",
    lines: withSum,
    linesOf: (answer, { replicaOf }) => linesOfMetric(answer, "sessionHeldHellos", replicaOf, "all replicas"),
    empty: none,
  },
];

export type SessionChartsProps = Names & {
  series: SessionSeries;
  /** How many there are of each, to reserve space for their lines. */
  parts: Record<keyof SessionSeries, number>;
  isSilent: boolean;
};

/** How clients return to the backend of their session, over time. */
export function SessionCharts(props: SessionChartsProps) {
  return (
    <ChartGrid>
      {charts.map((chart) => (
        <DrawnChart key={chart.title} chart={chart} {...props} />
      ))}
    </ChartGrid>
  );
}

function DrawnChart(props: SessionChartsProps & { chart: SessionChart }) {
  const { chart, series, parts, replicaOf, backendOf, isSilent } = props;
  const state = series[chart.from];
  const answer = state?.answer;
  const lines = useMemo(
    () => (answer ? chart.linesOf(answer, { replicaOf, backendOf }) : null),
    [answer, chart, replicaOf, backendOf],
  );
  const hidden = lines && lines.hidden > 0 ? `the ${maxLines} largest; ${lines.hidden} more` : "";
  return (
    <ChartPanel
      title={chart.title}
      hint={[chart.hint, hidden].filter(Boolean).join("; ")}
      state={state}
      data={lines?.data ?? null}
      expectedLines={chart.lines(parts[chart.from])}
      isSilent={isSilent}
      empty={chart.empty}
    />
  );
}
