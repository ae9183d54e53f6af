"use client";
import { type ReactNode, useMemo } from "react";
import { ChartGrid } from "../chart-grid.tsx";
import { ChartPanel } from "../chart-panel.tsx";
import type { SeriesState } from "../data/use-series.ts";
import {
  hasMetric,
  type Lines,
  linesOfMetric,
  linesOfRatio,
  linesOfTimes,
  maxLines,
  type NameOf,
} from "./balancer-lines.ts";
import { linesOfThroughput, maxBothWays, replyPathOf } from "./both-ways.ts";
import { type BalancerChart, balancerCharts, metricsOf } from "./chart-list.ts";
import type { ProbeHints } from "./describe-probes.ts";

export type BalancerChartsProps = {
  state: SeriesState | null;
  /** Must keep its identity while the names stay the same. */
  nameOf: NameOf;
  /** The name of the sum of all lines. */
  whole: string;
  /** How many lines to reserve space for. */
  parts: number;
  isSilent: boolean;
  /** What the charts include of our own probes. */
  probes?: ProbeHints;
  /** More charts in the same place. */
  children?: ReactNode;
};

/** The traffic of balancers, with a chart for each available metric. */
export function BalancerCharts(props: BalancerChartsProps) {
  const { answer, problem } = props.state ?? {};
  const shown = answer
    ? balancerCharts.filter((chart) => hasMetric(answer, metricsOf(chart)))
    : balancerCharts.filter(({ isSure }) => isSure).slice(0, problem ? 1 : undefined);
  return (
    <ChartGrid>
      {shown.map((chart) => (
        <DrawnChart key={chart.title} chart={chart} {...props} />
      ))}
      {props.children}
    </ChartGrid>
  );
}

function DrawnChart(props: BalancerChartsProps & { chart: BalancerChart }) {
  const { chart, state, nameOf, whole, parts, isSilent, probes } = props;
  const answer = state?.answer;
  const lines = useMemo((): Lines | null => {
    if (!answer) return null;
    if ("times" in chart) return linesOfTimes(answer, chart.times, nameOf);
    if ("ratio" in chart) return linesOfRatio(answer, chart.ratio, nameOf);
    if ("isThroughput" in chart) return linesOfThroughput(answer, nameOf, whole);
    return linesOfMetric(answer, chart.metric, nameOf, whole);
  }, [answer, chart, nameOf, whole]);
  const answers = answer && "isThroughput" in chart ? replyPathOf(answer) : "unknown";
  const most = answers === "through" ? maxBothWays : maxLines;
  const hidden =
    lines && lines.hidden > 0 ? `the ${most} ${"ratio" in chart ? "lowest" : "largest"}; ${lines.hidden} more` : "";
  const probed = "metric" in chart ? probes?.[chart.metric] : undefined;
  return (
    <ChartPanel
      title={chart.title}
      hint={[answers === "unknown" ? chart.hint : hintOf[answers], probed, hidden].filter(Boolean).join("; ")}
      state={state}
      data={lines?.data ?? null}
      expectedLines={parts > 1 ? Math.min(parts, maxLines) + 1 : "isThroughput" in chart ? 2 : 1}
      isSilent={isSilent}
      empty="No samples in this range."
    />
  );
}

const hintOf = { through: "", bypass: "from clients; replies bypass the balancer (DSR)" };
