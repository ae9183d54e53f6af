"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ChartGroup } from "@/components/charts/cursor.tsx";
import { FleetCpuChart, FleetNetworkChart } from "@/components/charts/fleet-charts.tsx";
import { CpuChart, NetworkChart } from "@/components/charts/node-charts.tsx";
import { Section } from "@/components/ui/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** More lines than this are a tangle. */
const mostNodes = 6;

/** What the machines are doing: the one there is, or the busiest of many. Optionally of one cluster only. */
export function FleetNow({ clusterId }: { clusterId?: string }) {
  const trpc = useTRPC();
  const busiest = useQuery({
    ...trpc.node.list.queryOptions({
      sort: "cpuUtilizationRatio",
      direction: "desc",
      limit: mostNodes,
      ...(clusterId ? { clusterId } : {}),
    }),
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
        title="Right now"
        hint={
          <Link href={`/nodes/${only.id}`} className="text-accent hover:underline">
            {only.name}
          </Link>
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
  const hint = `the ${nodes.length || mostNodes} busiest nodes of ${busiest.data?.total ?? "all"}`;
  return (
    <Section title="Right now">
      <ChartGroup>
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <FleetCpuChart nodes={nodes} hint={hint} />
          <FleetNetworkChart nodes={nodes} hint={hint} />
        </div>
      </ChartGroup>
    </Section>
  );
}
