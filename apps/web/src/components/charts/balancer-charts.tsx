"use client";
import type { MetricName } from "@fairlead/domain";
import { type ReactNode, useMemo } from "react";
import { hasMetric, type Lines, linesOfMetric, linesOfTimes, mostLines, type NameOf } from "./balancer-lines.ts";
import { answersOf, linesOfThroughput, mostBothWays } from "./both-ways.ts";
import { ChartPanel } from "./chart-panel.tsx";
import type { Unit } from "./quantity.ts";
import type { SeriesState } from "./use-series.ts";

type Times = Partial<Record<MetricName, string>>;
type Chart = { title: string; hint: string } & (
  | { metric: MetricName; unit: Unit }
  | { times: Times }
  | { metric: "throughputBps"; goes: "both ways" }
);

const charts: readonly Chart[] = [
  { title: "Throughput", hint: "from clients", metric: "throughputBps", goes: "both ways" },
  { title: "Throughput both ways", hint: "together, as its provider counts", metric: "bothWaysBps", unit: "bps" },
  { title: "Packets", hint: "from clients", metric: "packetsPerSecond", unit: "pps" },
  { title: "Live connections", hint: "", metric: "connectionsLive", unit: "count" },
  { title: "New connections", hint: "", metric: "connectionsNewPerSecond", unit: "perSecond" },
  {
    title: "Connection set-up",
    hint: "a round trip to the backend and one to the client",
    times: { latencyMsP50: "median", latencyMsP99: "99th percentile" },
  },
  {
    title: "First byte",
    hint: "from the request to the begin of the answer",
    times: { firstByteMsP50: "median", firstByteMsP99: "99th percentile" },
  },
  {
    title: "Health changes",
    hint: "backends that went up or down",
    metric: "healthChangesPerSecond",
    unit: "perSecond",
  },
];

/** These are sure to come where our own agents measure anything; not every engine can see times. */
const surely: readonly string[] = ["Throughput", "Packets", "Live connections", "New connections"];

export type BalancerChartsProps = {
  state: SeriesState | null;
  /** Must stay the same function while the names do. */
  nameOf: NameOf;
  /** What all lines of a chart are together. */
  whole: string;
  /** How many lines to keep a place for. */
  parts: number;
  isSilent: boolean;
  /** More charts of the same place. */
  children?: ReactNode;
};

/** What goes through balancers: a chart for each thing that was measured. */
export function BalancerCharts(props: BalancerChartsProps) {
  const { answer, problem } = props.state ?? {};
  const shown = answer
    ? charts.filter((chart) => hasMetric(answer, metricsOf(chart)))
    : charts.filter(({ title }) => surely.includes(title)).slice(0, problem ? 1 : undefined);
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
      {shown.map((chart) => (
        <BalancerChart key={chart.title} chart={chart} {...props} />
      ))}
      {props.children}
    </div>
  );
}

function BalancerChart({ chart, state, nameOf, whole, parts, isSilent }: BalancerChartsProps & { chart: Chart }) {
  const answer = state?.answer;
  const lines = useMemo((): Lines | null => {
    if (!answer) return null;
    if ("times" in chart) return linesOfTimes(answer, chart.times, nameOf);
    if ("goes" in chart) return linesOfThroughput(answer, nameOf, whole);
    return linesOfMetric(answer, chart.metric, chart.unit, nameOf, whole);
  }, [answer, chart, nameOf, whole]);
  const answers = answer && "goes" in chart ? answersOf(answer) : "unknown";
  const most = answers === "pass" ? mostBothWays : mostLines;
  const hidden = lines && lines.hidden > 0 ? `the ${most} largest; ${lines.hidden} more` : "";
  return (
    <ChartPanel
      title={chart.title}
      hint={[answers === "unknown" ? chart.hint : hintOf[answers], hidden].filter(Boolean).join("; ")}
      state={state}
      data={lines?.data ?? null}
      expectedLines={parts > 1 ? Math.min(parts, mostLines) + 1 : "goes" in chart ? 2 : 1}
      isSilent={isSilent}
      empty="No samples in this range."
    />
  );
}

const hintOf = { pass: "", "pass by": "from clients; answers pass the balancer by" };

function metricsOf(chart: Chart): string[] {
  return "times" in chart ? Object.keys(chart.times) : [chart.metric];
}
