import type { MetricAt } from "@fairlead/domain/series";
import { ways } from "./both-ways.ts";

type BalancerMetric = MetricAt<"balancer">;

export type BalancerChart = {
  title: string;
  hint: string;
  /** Whether every engine of our agents measures it. Not every engine can measure latency. */
  isSure: boolean;
} & (
  | { metric: BalancerMetric }
  | { times: Partial<Record<BalancerMetric, string>> }
  | { ratio: BalancerMetric }
  | { metric: "throughputBps"; isThroughput: true }
);

/** The charts of a load balancer's traffic, in display order. */
export const balancerCharts: readonly BalancerChart[] = [
  { title: "Throughput", hint: "from clients", metric: "throughputBps", isThroughput: true, isSure: true },
  {
    title: "Throughput both ways",
    hint: "both directions, as its provider counts them",
    metric: "bothWaysBps",
    isSure: false,
  },
  { title: "Packets", hint: "from clients", metric: "packetsPerSecond", isSure: true },
  { title: "Live connections", hint: "", metric: "connectionsLive", isSure: true },
  { title: "New connections", hint: "", metric: "connectionsNewPerSecond", isSure: true },
  {
    title: "Answered on the client's node",
    hint: "of new connections",
    ratio: "localShareRatio",
    isSure: false,
  },
  {
    title: "Connection set-up",
    hint: "one round trip to the backend and one to the client",
    times: { latencyMsP50: "median", latencyMsP99: "99th percentile" },
    isSure: false,
  },
  {
    title: "First byte",
    hint: "from the request to the start of the response",
    times: { firstByteMsP50: "median", firstByteMsP99: "99th percentile" },
    isSure: false,
  },
  {
    title: "Health changes",
    hint: "backends that became healthy or unhealthy",
    metric: "healthChangesPerSecond",
    isSure: false,
  },
];

export function metricsOf(chart: BalancerChart): BalancerMetric[] {
  if ("times" in chart) return Object.keys(chart.times) as BalancerMetric[];
  if ("ratio" in chart) return [chart.ratio];
  return "isThroughput" in chart ? ways.map(({ metric }) => metric) : [chart.metric];
}

/** All that these charts draw. */
export const drawnMetrics = balancerCharts.flatMap(metricsOf);
