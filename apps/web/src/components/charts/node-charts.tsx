"use client";
import type { MetricName } from "@fairlead/domain";
import { useMemo } from "react";
import { countOf } from "@/components/words/numbers.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { linesByInterface, linesByMetric, linesOfLosses, mostInterfaces } from "./lines.ts";
import type { Unit } from "./quantity.ts";
import { useSeries } from "./use-series.ts";

type Titles = Partial<Record<MetricName, string>>;
type NodeChartProps = { nodeId: string; isSilent?: boolean };

const noSamples = "No samples in this range. Choose another range, or see under Agents whether the agent reports.";

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

const traffic: Titles = { interfaceReceiveBps: "received", interfaceTransmitBps: "sent" };

/** What goes over the network, and where? */
export function NetworkChart({ nodeId, isSilent = false }: NodeChartProps) {
  return <InterfaceChart title="Network" unit="bps" titles={traffic} nodeId={nodeId} isSilent={isSilent} />;
}

const packets: Titles = { interfaceReceivePps: "received", interfaceTransmitPps: "sent" };

/** How many packets are that? Small ones cost as much as large ones. */
export function PacketsChart({ nodeId, isSilent = false }: NodeChartProps) {
  return <InterfaceChart title="Packets" unit="pps" titles={packets} nodeId={nodeId} isSilent={isSilent} />;
}

const losses: Titles = {
  interfaceReceiveDropsPerSecond: "received, dropped",
  interfaceTransmitDropsPerSecond: "dropped before sending",
  interfaceReceiveErrorsPerSecond: "receive errors",
  interfaceTransmitErrorsPerSecond: "send errors",
};

/** Is anything lost on the way, and on which interface? */
export function LossChart({ nodeId, isSilent = false }: NodeChartProps) {
  const state = useSeries([nodeId], metricsOf(losses));
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesOfLosses(answer, losses) : null), [answer]);
  return (
    <ChartPanel
      title="Drops and errors"
      hint="packets, where any were lost"
      state={state}
      data={data}
      expectedLines={2}
      isSilent={isSilent}
      empty={
        answer?.series.length ? "Nothing was lost in this range: no drops, no errors on any interface." : noSamples
      }
    />
  );
}

function InterfaceChart({
  title,
  unit,
  titles,
  nodeId,
  isSilent = false,
}: NodeChartProps & { title: string; unit: Unit; titles: Titles }) {
  const state = useSeries([nodeId], metricsOf(titles));
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesByInterface(answer, unit, titles) : null), [answer, unit, titles]);
  return (
    <ChartPanel
      title={title}
      hint={
        lines && lines.hidden > 0 ? `the ${mostInterfaces} busiest interfaces; ${lines.hidden} more` : "by interface"
      }
      state={state}
      data={lines?.data ?? null}
      expectedLines={2}
      isSilent={isSilent}
      empty={noSamples}
    />
  );
}

function useMetrics(nodeId: string, unit: Unit, titles: Titles) {
  const state = useSeries([nodeId], metricsOf(titles));
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesByMetric(answer, unit, titles) : null), [answer, unit, titles]);
  return { state, data };
}

function metricsOf(titles: Titles): MetricName[] {
  return Object.keys(titles) as MetricName[];
}
