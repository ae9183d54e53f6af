"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FleetCpuChart, FleetNetworkChart } from "@/components/charts/node/fleet-charts.tsx";
import { NetworkChart } from "@/components/charts/node/interface-charts.tsx";
import { CpuChart } from "@/components/charts/node/node-charts.tsx";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { LoadError } from "@/components/detail/load-error.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { busiestNodes, maxNodes } from "./busiest-nodes.ts";

/** The metrics of the only node, or of the busiest ones, optionally of a single cluster. */
export function FleetNow({ clusterId }: { clusterId?: string }) {
  const trpc = useTRPC();
  const busiest = useQuery({
    ...trpc.node.list.queryOptions(busiestNodes(clusterId)),
    placeholderData: keepPreviousData,
    // The busiest nodes change all the time. Refreshing the list once a minute keeps the lines stable.
    staleTime: 60_000,
  });
  const nodes = busiest.data?.items ?? [];
  const [only] = nodes;
  if (busiest.data?.total === 0) return null;
  if (busiest.error && !busiest.data)
    return (
      <Section title="Node activity" docs="nodeCharts">
        <LoadError label="Node activity" query={busiest} />
      </Section>
    );
  if (busiest.data?.total === 1 && only)
    return (
      <Section
        title="Node activity"
        docs="nodeCharts"
        hint={
          <TextLink href={`/nodes/${only.id}`} className="text-accent">
            {only.name}
          </TextLink>
        }
      >
        <ChartGroup>
          <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
            <CpuChart nodeId={only.id} />
            <NetworkChart nodeId={only.id} />
          </div>
        </ChartGroup>
      </Section>
    );
  const total = busiest.data?.total ?? maxNodes;
  const hint = total > maxNodes ? `the ${maxNodes} busiest nodes of ${count(total)}` : "by node";
  return (
    <Section title="Node activity" docs="nodeCharts">
      <ChartGroup>
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <FleetCpuChart nodes={nodes} hint={hint} />
          <FleetNetworkChart nodes={nodes} hint={hint} />
        </div>
      </ChartGroup>
    </Section>
  );
}
