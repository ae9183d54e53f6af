"use client";
import { useEffect, useMemo, useState } from "react";
import { ChartPanel } from "./chart-panel.tsx";
import { linesByInterface, linesOfLosses, mostInterfaces } from "./lines.ts";
import { metricsOf, type NodeChartProps, noSamples, type Titles } from "./node-charts.tsx";
import type { Unit } from "./quantity.ts";
import { type SeriesState, useSeries } from "./use-series.ts";

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
  const [state, isSummed] = useInterfaceSeries(nodeId, losses);
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesOfLosses(answer, losses) : null), [answer]);
  return (
    <ChartPanel
      title="Drops and errors"
      hint={isSummed ? "packets, all interfaces together" : "packets, where any were lost"}
      state={state}
      data={data}
      expectedLines={2}
      isSilent={isSilent}
      empty={answer?.series.length ? "Nothing was lost in this range." : noSamples}
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
  const [state, isSummed] = useInterfaceSeries(nodeId, titles);
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesByInterface(answer, unit, titles) : null), [answer, unit, titles]);
  return (
    <ChartPanel
      title={title}
      hint={hintOf(isSummed, lines?.hidden ?? 0)}
      state={state}
      data={lines?.data ?? null}
      expectedLines={2}
      isSilent={isSilent}
      empty={noSamples}
    />
  );
}

function hintOf(isSummed: boolean, hidden: number): string {
  if (isSummed) return "all interfaces together";
  return hidden > 0 ? `the ${mostInterfaces} busiest interfaces; ${hidden} more` : "by interface";
}

/** useInterfaceSeries asks by interface, and for all of them together where there are too many to ask for. */
function useInterfaceSeries(nodeId: string, titles: Titles): [SeriesState | null, boolean] {
  const [isSummed, setSummed] = useState(false);
  const question = { subjectIds: [nodeId], metrics: metricsOf(titles) };
  const state = useSeries(isSummed ? { ...question, sumBy: "subject" } : question);
  const isRefused = state?.problem?.code === "invalid";
  useEffect(() => {
    if (isRefused) setSummed(true);
  }, [isRefused]);
  return [state, isSummed];
}
