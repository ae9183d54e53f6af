"use client";
import type { MetricName } from "@fairlead/domain";
import { useMemo } from "react";
import { ChartPanel } from "./chart-panel.tsx";
import { linesByMetric } from "./lines.ts";
import type { Unit } from "./quantity.ts";
import type { SeriesState } from "./use-series.ts";

type Titles = Partial<Record<MetricName, string>>;
type BalancerChartProps = { state: SeriesState };

const throughput: Titles = { throughputBps: "all ports" };
const connections: Titles = { connectionsLive: "open" };
const latency: Titles = { latencyMsP50: "median", latencyMsP99: "99th percentile" };

/** How much goes through? */
export function ThroughputChart({ state }: BalancerChartProps) {
  return <MetricChart title="Throughput" unit="bps" titles={throughput} state={state} />;
}

/** How many are connected? */
export function ConnectionsChart({ state }: BalancerChartProps) {
  return <MetricChart title="Connections" unit="count" titles={connections} state={state} />;
}

/** How long does it take? */
export function LatencyChart({ state }: BalancerChartProps) {
  return <MetricChart title="Latency" unit="ms" titles={latency} state={state} />;
}

function MetricChart({
  title,
  unit,
  titles,
  state,
}: BalancerChartProps & { title: string; unit: Unit; titles: Titles }) {
  const { answer } = state;
  const data = useMemo(() => (answer ? linesByMetric(answer, unit, titles) : null), [answer, unit, titles]);
  return (
    <ChartPanel
      title={title}
      state={state}
      data={data}
      expectedLines={Object.keys(titles).length}
      empty="No samples in this range."
    />
  );
}
