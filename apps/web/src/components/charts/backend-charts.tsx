"use client";
import type { MetricName } from "@fairlead/domain";
import { useMemo } from "react";
import { hasMetric, type Lines, linesOfMetric, linesOfSlowest, mostLines, type NameOf } from "./balancer-lines.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { type SeriesState, useSeries } from "./use-series.ts";

const rates: MetricName[] = ["throughputBps", "dropsPerSecond"];
const times: MetricName[] = ["firstByteMsP99"];

/** What went to backends, whoever the replica, and how long they took for it at the slowest replica. */
export type BackendSeries = { rates: SeriesState | null; times: SeriesState | null };

export function useBackendSeries(backendIds: string[]): BackendSeries {
  return {
    rates: useSeries({ subjectIds: backendIds, metrics: rates, sumBy: "subject" }),
    times: useSeries({ subjectIds: backendIds, metrics: times }),
  };
}

export type BackendChartsProps = {
  series: BackendSeries;
  nameOf: NameOf;
  /** Whose, where they are not all; empty otherwise. */
  of: string;
  isSilent: boolean;
};

/** Who of the backends gets how much, who is slow, and to whom does it not get through? Not every engine can tell. */
export function BackendCharts({ series, ...props }: BackendChartsProps) {
  return (
    <>
      <BackendChart
        title="Throughput by backend"
        hint="from clients"
        extreme="largest"
        state={series.rates}
        metric="throughputBps"
        lines={throughput}
        {...props}
      />
      <BackendChart
        title="First byte by backend"
        hint="99th percentile"
        extreme="slowest"
        state={series.times}
        metric="firstByteMsP99"
        lines={slowest}
        {...props}
      />
      <BackendChart
        title="Dropped on the way to backends"
        hint="packets, or connections that could not be made"
        extreme="largest"
        state={series.rates}
        metric="dropsPerSecond"
        lines={dropped}
        {...props}
      />
    </>
  );
}

type LinesOf = (answer: NonNullable<SeriesState["answer"]>, nameOf: NameOf) => Lines;

const throughput: LinesOf = (answer, nameOf) => linesOfMetric(answer, "throughputBps", "bps", nameOf, "all of them");
const dropped: LinesOf = (answer, nameOf) =>
  linesOfMetric(answer, "dropsPerSecond", "perSecond", nameOf, "all of them");
const slowest: LinesOf = (answer, nameOf) => linesOfSlowest(answer, "firstByteMsP99", nameOf);

function BackendChart({
  title,
  hint,
  extreme,
  state,
  metric,
  lines: linesOf,
  nameOf,
  of,
  isSilent,
}: Omit<BackendChartsProps, "series"> & {
  title: string;
  hint: string;
  /** Which are shown where they are too many. */
  extreme: string;
  state: SeriesState | null;
  metric: MetricName;
  lines: LinesOf;
}) {
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesOf(answer, nameOf) : null), [answer, linesOf, nameOf]);
  if (!answer || !lines || !hasMetric(answer, [metric])) return null;
  const hidden = lines.hidden > 0 ? `the ${mostLines} ${extreme}, ${lines.hidden} more` : "";
  return (
    <ChartPanel
      title={title}
      hint={[hint, of, hidden].filter(Boolean).join("; ")}
      state={state}
      data={lines.data}
      expectedLines={1}
      isSilent={isSilent}
      empty="No samples in this range."
    />
  );
}
