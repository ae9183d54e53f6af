"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import type { MetricName } from "@fairlead/domain/series";
import { useMemo } from "react";
import { countOf } from "@/components/words/numbers.ts";
import { ChartPanel } from "../chart-panel.tsx";
import { useSeries } from "../data/use-series.ts";
import { linesByMetric, linesOfRoundTrips, maxRoundTrips, metricsOf, type Titles } from "./lines.ts";

export type NodeChartProps = { nodeId: string; isSilent?: boolean };

export const noSamples =
  "No samples in this range. Choose another range, or check under Agents whether the agent reports.";

const cpu: Titles = {
  cpuUtilizationRatio: "all",
  cpuUserRatio: "user",
  cpuSystemRatio: "system",
  cpuIowaitRatio: "waiting for disk",
  cpuStealRatio: "stolen by the host",
};

/** CPU usage by kind. */
export function CpuChart({ nodeId, isSilent = false }: NodeChartProps) {
  const { state, data } = useMetrics(nodeId, cpu);
  return (
    <ChartPanel
      title="CPU"
      hint="share of all cores"
      state={state}
      data={data}
      expectedLines={5}
      isSilent={isSilent}
      empty={noSamples}
    />
  );
}

const memory: Titles = { memoryTotalBytes: "installed", memoryUsedBytes: "used", memoryAvailableBytes: "available" };

/** Memory usage. */
export function MemoryChart({ nodeId, isSilent = false }: NodeChartProps) {
  const { state, data } = useMetrics(nodeId, memory);
  return (
    <ChartPanel title="Memory" state={state} data={data} expectedLines={3} isSilent={isSilent} empty={noSamples} />
  );
}

const load: Titles = { load1: "1 minute", load5: "5 minutes", load15: "15 minutes" };

/** Load average, compared to the number of cores. */
export function LoadChart({ nodeId, cpuCount, isSilent = false }: NodeChartProps & { cpuCount: number | null }) {
  const { state, data } = useMetrics(nodeId, load);
  const cores = cpuCount === null ? null : countOf(cpuCount, "core");
  return (
    <ChartPanel
      title="Load"
      hint={cores ? `runnable threads; ${cores}` : "runnable threads"}
      state={state}
      data={data}
      expectedLines={3}
      isSilent={isSilent}
      empty={noSamples}
    />
  );
}

const pressure: Titles = {
  cpuPressureRatio: "CPU",
  memoryPressureRatio: "memory",
  memoryPressureFullRatio: "memory, all processes",
  ioPressureRatio: "disk",
  ioPressureFullRatio: "disk, all processes",
};

/** Pressure stall information (PSI): unlike usage, it shows whether processes lack a resource. */
export function PressureChart({ nodeId, isSilent = false }: NodeChartProps) {
  const { state, data } = useMetrics(nodeId, pressure);
  return (
    <ChartPanel
      title="Pressure"
      hint="share of the time in which processes wait"
      state={state}
      data={data}
      expectedLines={5}
      isSilent={isSilent}
      empty={noSamples}
    />
  );
}

const roundTrips: MetricName[] = ["roundTripMs"];

/** Round trips to other nodes of the cluster. */
export function RoundTripChart({ nodeId, others, isSilent = false }: NodeChartProps & RoundTripsTo) {
  const state = useSeries({ subjectIds: [nodeId], metrics: roundTrips });
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesOfRoundTrips(answer, others) : null), [answer, others]);
  return (
    <ChartPanel
      title="Round trip"
      hint={lines?.hidden ? `to the ${maxRoundTrips} farthest nodes; ${lines.hidden} more` : "to other nodes"}
      state={state}
      data={lines?.data ?? null}
      expectedLines={Math.min(others.length, maxRoundTrips)}
      isSilent={isSilent}
      empty="No replies in this range. Allow UDP between the nodes, at the port of --echo-listen, 7445 by default."
    />
  );
}

type RoundTripsTo = { others: NodeDetail["roundTripsTo"] };

const connections: Titles = { trackedConnectionsLimit: "limit", trackedConnections: "tracked" };

/** Connections in the kernel's connection tracking table. A full table drops new connections. */
export function TrackedConnectionsChart({ nodeId, isSilent = false }: NodeChartProps) {
  const { state, data } = useMetrics(nodeId, connections);
  return (
    <ChartPanel
      title="Tracked connections"
      hint="at the limit, new connections are dropped"
      state={state}
      data={data}
      expectedLines={2}
      isSilent={isSilent}
      empty="No samples in this range. A node without the kernel module nf_conntrack doesn't track connections."
    />
  );
}

function useMetrics(nodeId: string, titles: Titles) {
  const state = useSeries({ subjectIds: [nodeId], metrics: metricsOf(titles) });
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesByMetric(answer, titles) : null), [answer, titles]);
  return { state, data };
}
