"use client";
import type { MetricName } from "@fairlead/domain";
import { useMemo } from "react";
import { countOf } from "@/components/words/numbers.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { linesByMetric } from "./lines.ts";
import type { Unit } from "./quantity.ts";
import { useSeries } from "./use-series.ts";

export type Titles = Partial<Record<MetricName, string>>;
export type NodeChartProps = { nodeId: string; isSilent?: boolean };

export const noSamples =
  "No samples in this range. Choose another range, or see under Agents whether the agent reports.";

const cpu: Titles = {
  cpuUtilizationRatio: "all",
  cpuUserRatio: "user",
  cpuSystemRatio: "system",
  cpuIowaitRatio: "waiting for disk",
  cpuStealRatio: "stolen by the host",
};

/** What is the processor busy with? */
export function CpuChart({ nodeId, isSilent = false }: NodeChartProps) {
  const { state, data } = useMetrics(nodeId, "ratio", cpu);
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

/** How much memory is left? */
export function MemoryChart({ nodeId, isSilent = false }: NodeChartProps) {
  const { state, data } = useMetrics(nodeId, "bytes", memory);
  return (
    <ChartPanel title="Memory" state={state} data={data} expectedLines={3} isSilent={isSilent} empty={noSamples} />
  );
}

const load: Titles = { load1: "1 minute", load5: "5 minutes", load15: "15 minutes" };

/** Is more waiting to run than there are cores? */
export function LoadChart({ nodeId, cpuCount, isSilent = false }: NodeChartProps & { cpuCount: number | null }) {
  const { state, data } = useMetrics(nodeId, "count", load);
  const cores = cpuCount === null ? null : countOf(cpuCount, "core");
  return (
    <ChartPanel
      title="Load"
      hint={cores ? `threads that run or wait; ${cores}` : "threads that run or wait"}
      state={state}
      data={data}
      expectedLines={3}
      isSilent={isSilent}
      empty={noSamples}
    />
  );
}

function useMetrics(nodeId: string, unit: Unit, titles: Titles) {
  const state = useSeries({ subjectIds: [nodeId], metrics: metricsOf(titles) });
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesByMetric(answer, unit, titles) : null), [answer, unit, titles]);
  return { state, data };
}

export function metricsOf(titles: Titles): MetricName[] {
  return Object.keys(titles) as MetricName[];
}
