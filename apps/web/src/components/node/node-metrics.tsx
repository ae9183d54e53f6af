import type { NodeDetail } from "@fairlead/domain/node";
import { ChartGrid } from "@/components/charts/chart-grid.tsx";
import { LossChart, NetworkChart, PacketsChart } from "@/components/charts/node/interface-charts.tsx";
import {
  CpuChart,
  LoadChart,
  MemoryChart,
  PressureChart,
  RoundTripChart,
  TrackedConnectionsChart,
} from "@/components/charts/node/node-charts.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";

/** What the agent of a node measures of its machine. */
export function NodeMetrics({
  node,
  isSilent,
  silence,
}: {
  node: NodeDetail;
  isSilent: boolean;
  silence: string | null;
}) {
  const of = { nodeId: node.id, isSilent };
  const pressure = featureOf(node, "pressure");
  return (
    <Section
      title="Measured"
      docs="nodeCharts"
      hint={
        silence ? (
          <span className="inline-flex items-center gap-1.5 text-silent">
            <StatusGlyph shape="dash" />
            {silence}
          </span>
        ) : null
      }
    >
      <ChartGrid>
        <CpuChart {...of} />
        <NetworkChart {...of} />
        <MemoryChart {...of} />
        <PacketsChart {...of} />
        <LoadChart {...of} cpuCount={node.cpuCount} />
        <LossChart {...of} />
        <TrackedConnectionsChart {...of} />
        {pressure?.available ? <PressureChart {...of} /> : null}
        {node.roundTripsTo.length > 0 ? <RoundTripChart {...of} others={node.roundTripsTo} /> : null}
      </ChartGrid>
      {pressure && !pressure.available ? (
        <p className="pt-4 text-muted text-xs">No pressure chart. {pressure.reason}</p>
      ) : null}
    </Section>
  );
}

/** Undefined until the first report, and for an agent of an earlier version. */
function featureOf(node: NodeDetail, name: string) {
  return node.facts?.kernelFeatures.find((each) => each.name === name);
}
