import type { Metadata } from "next";
import { busiestNodes } from "@/components/overview/busiest-nodes.ts";
import { maxClusters } from "@/components/overview/max-clusters.ts";
import { OverviewPage } from "@/components/overview/overview-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function Page() {
  await Promise.all([
    prefetch(trpc.overview.get.queryOptions()),
    prefetch(trpc.attention.list.queryOptions({})),
    prefetch(trpc.cluster.list.queryOptions({ limit: maxClusters })),
    prefetch(trpc.addressPool.list.queryOptions({ limit: 1 })),
    prefetch(trpc.trafficFlow.ofFleet.queryOptions({})),
    prefetch(trpc.node.list.queryOptions(busiestNodes())),
  ]);
  return (
    <HydrateClient>
      <OverviewPage />
    </HydrateClient>
  );
}
