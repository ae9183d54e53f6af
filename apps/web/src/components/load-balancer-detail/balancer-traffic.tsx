"use client";
import type { MetricName } from "@fairlead/domain";
import { ConnectionsChart, LatencyChart, ThroughputChart } from "@/components/charts/balancer-charts.tsx";
import { useSeries } from "@/components/charts/use-series.ts";
import { Section } from "@/components/ui/section.tsx";

const metrics: MetricName[] = [
  "throughputBps",
  "connectionsLive",
  "connectionsNewPerSecond",
  "latencyMsP50",
  "latencyMsP99",
];

/** What goes through a balancer. Only where something measures it: an empty chart would promise figures that never come. */
export function BalancerTraffic({ id }: { id: string }) {
  const state = useSeries({ subjectIds: [id], metrics });
  if (!state?.answer || state.answer.series.length === 0) return null;
  return (
    <Section title="Measured">
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <ThroughputChart state={state} />
        <ConnectionsChart state={state} />
        <LatencyChart state={state} />
      </div>
    </Section>
  );
}
