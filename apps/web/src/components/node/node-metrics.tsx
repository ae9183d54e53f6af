import type { NodeDetail } from "@fairlead/domain/node";
import { LossChart, NetworkChart, PacketsChart } from "@/components/charts/node/interface-charts.tsx";
import { CpuChart, LoadChart, MemoryChart, TrackedConnectionsChart } from "@/components/charts/node/node-charts.tsx";
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
  return (
    <Section
      title="Measured"
      hint={
        silence ? (
          <span className="inline-flex items-center gap-1.5 text-silent">
            <StatusGlyph shape="dash" />
            {silence}
          </span>
        ) : null
      }
    >
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <CpuChart {...of} />
        <NetworkChart {...of} />
        <MemoryChart {...of} />
        <PacketsChart {...of} />
        <LoadChart {...of} cpuCount={node.cpuCount} />
        <LossChart {...of} />
        <TrackedConnectionsChart {...of} />
      </div>
    </Section>
  );
}
