"use client";
import { useEffect, useMemo, useState } from "react";
import { ChartPanel } from "../chart-panel.tsx";
import { type SeriesState, useSeries } from "../data/use-series.ts";
import { linesByInterface, linesOfLosses, maxInterfaces, metricsOf, type Titles } from "./lines.ts";
import { type NodeChartProps, noSamples } from "./node-charts.tsx";

const traffic: Titles = { interfaceReceiveBps: "received", interfaceTransmitBps: "sent" };

/** Network throughput, by interface. */
export function NetworkChart({ nodeId, isSilent = false }: NodeChartProps) {
  return <InterfaceChart title="Network" titles={traffic} nodeId={nodeId} isSilent={isSilent} />;
}

const packets: Titles = { interfaceReceivePps: "received", interfaceTransmitPps: "sent" };

/** Packet rates. Small packets cost as much as large ones. */
export function PacketsChart({ nodeId, isSilent = false }: NodeChartProps) {
  return <InterfaceChart title="Packets" titles={packets} nodeId={nodeId} isSilent={isSilent} />;
}

const losses: Titles = {
  interfaceReceiveDropsPerSecond: "received, dropped",
  interfaceTransmitDropsPerSecond: "dropped before sending",
  interfaceReceiveErrorsPerSecond: "receive errors",
  interfaceTransmitErrorsPerSecond: "send errors",
};

/** Packet loss, by interface. */
export function LossChart({ nodeId, isSilent = false }: NodeChartProps) {
  const [state, isSummed] = useInterfaceSeries(nodeId, losses);
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesOfLosses(answer, losses) : null), [answer]);
  return (
    <ChartPanel
      title="Drops and errors"
      hint={isSummed ? "packets, all interfaces together" : "packets, by interface with losses"}
      state={state}
      data={data}
      expectedLines={2}
      isSilent={isSilent}
      empty={answer?.series.length ? "No losses in this range." : noSamples}
    />
  );
}

function InterfaceChart({
  title,
  titles,
  nodeId,
  isSilent = false,
}: NodeChartProps & { title: string; titles: Titles }) {
  const [state, isSummed] = useInterfaceSeries(nodeId, titles);
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesByInterface(answer, titles) : null), [answer, titles]);
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
  return hidden > 0 ? `the ${maxInterfaces} busiest interfaces; ${hidden} more` : "by interface";
}

/** useInterfaceSeries fetches series by interface, or their sums if there are too many interfaces. */
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
