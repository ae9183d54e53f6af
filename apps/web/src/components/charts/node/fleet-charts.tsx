"use client";
import type { Node } from "@fairlead/domain/node";
import type { MetricAt } from "@fairlead/domain/series";
import { useMemo } from "react";
import { ChartPanel } from "../chart-panel.tsx";
import { useSeries } from "../data/use-series.ts";
import { joinMetrics, linesBySubject } from "./lines.ts";

type FleetChartProps = { nodes: Pick<Node, "id" | "name">[]; hint: string };

const noSamples = "No samples in this range. They appear after the first report of a node.";
const cpu: MetricAt<"node">[] = ["cpuUtilizationRatio"];
const traffic: MetricAt<"node">[] = ["interfaceReceiveBps", "interfaceTransmitBps"];

/** Which nodes are busy. */
export function FleetCpuChart({ nodes, hint }: FleetChartProps) {
  const state = useSeries({ subjectIds: idsOf(nodes), metrics: cpu });
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesBySubject(answer, "ratio", nameIn(nodes)) : null), [answer, nodes]);
  return (
    <ChartPanel title="CPU" hint={hint} state={state} data={data} expectedLines={nodes.length} empty={noSamples} />
  );
}

/** Which nodes carry traffic. */
export function FleetNetworkChart({ nodes, hint }: FleetChartProps) {
  const state = useSeries({ subjectIds: idsOf(nodes), metrics: traffic, sumBy: "subject" });
  const answer = state?.answer;
  const data = useMemo(
    () => (answer ? linesBySubject(joinMetrics(answer), "bps", nameIn(nodes)) : null),
    [answer, nodes],
  );
  return (
    <ChartPanel
      title="Network"
      hint={`received and sent; ${hint}`}
      state={state}
      data={data}
      expectedLines={nodes.length}
      empty={noSamples}
    />
  );
}

function idsOf(nodes: FleetChartProps["nodes"]): string[] {
  // In a stable order, so that the query stays the same when the busiest node changes.
  return nodes.map((node) => node.id).sort();
}

function nameIn(nodes: FleetChartProps["nodes"]): (id: string) => string {
  const names = new Map(nodes.map((node) => [node.id, node.name]));
  return (id) => names.get(id) ?? id;
}
