"use client";
import type { MetricAt } from "@fairlead/domain/series";
import { useMemo } from "react";
import { ChartPanel } from "../chart-panel.tsx";
import { type SeriesState, useSeries } from "../data/use-series.ts";
import { hasMetric, type Lines, linesOfMetric, linesOfSlowest, maxLines, type NameOf } from "./balancer-lines.ts";

type BackendMetric = MetricAt<"backend">;

const rates: BackendMetric[] = ["throughputBps", "dropsPerSecond"];
const times: BackendMetric[] = ["firstByteMsP99"];

/** Traffic to backends, from all replicas, with the latency of the slowest replica. */
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
  /** The name of the series if there are several, else empty. */
  of: string;
  isSilent: boolean;
};

/** How traffic is spread over backends, which are slow, and which lose packets. Not every engine can measure this. */
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
        hint="packets, or failed connections"
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

const throughput: LinesOf = (answer, nameOf) => linesOfMetric(answer, "throughputBps", nameOf, "all backends");
const dropped: LinesOf = (answer, nameOf) => linesOfMetric(answer, "dropsPerSecond", nameOf, "all backends");
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
  /** Which backends are shown if there are too many. */
  extreme: string;
  state: SeriesState | null;
  metric: BackendMetric;
  lines: LinesOf;
}) {
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesOf(answer, nameOf) : null), [answer, linesOf, nameOf]);
  if (!answer || !lines || !hasMetric(answer, [metric])) return null;
  const hidden = lines.hidden > 0 ? `the ${maxLines} ${extreme}, ${lines.hidden} more` : "";
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
