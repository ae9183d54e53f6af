"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartGroup } from "@/components/charts/cursor.tsx";
import { FleetCpuChart, FleetNetworkChart } from "@/components/charts/fleet-charts.tsx";
import { NetworkChart } from "@/components/charts/interface-charts.tsx";
import { CpuChart } from "@/components/charts/node-charts.tsx";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { busiestNodes, mostNodes } from "./busiest-nodes.ts";

/** What the machines are doing: the one there is, or the busiest of many. Optionally of one cluster only. */
export function FleetNow({ clusterId }: { clusterId?: string }) {
  const trpc = useTRPC();
  const busiest = useQuery({
    ...trpc.node.list.queryOptions(busiestNodes(clusterId)),
    placeholderData: keepPreviousData,
    // Who is busiest changes all the time; lines that come and go would tell less than ones that stay a minute.
    staleTime: 60_000,
  });
  const nodes = busiest.data?.items ?? [];
  const [only] = nodes;
  if (busiest.data?.total === 0) return null;
  if (busiest.data?.total === 1 && only)
    return (
      <Section
        title="What the node does"
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
  const total = busiest.data?.total ?? mostNodes;
  const hint = total > mostNodes ? `the ${mostNodes} busiest nodes of ${count(total)}` : "by node";
  return (
    <Section title="What the nodes do">
      <ChartGroup>
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <FleetCpuChart nodes={nodes} hint={hint} />
          <FleetNetworkChart nodes={nodes} hint={hint} />
        </div>
      </ChartGroup>
    </Section>
  );
}
