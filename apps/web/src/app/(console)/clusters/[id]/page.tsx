import type { Metadata } from "next";
import { ClusterPage } from "@/components/cluster/cluster-page.tsx";
import { maxPools } from "@/components/cluster/max-pools.ts";
import { busiestNodes } from "@/components/overview/busiest-nodes.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Cluster" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await Promise.all([
    prefetch(trpc.cluster.get.queryOptions({ id })),
    prefetch(trpc.addressPool.list.queryOptions({ clusterId: id, limit: maxPools })),
    prefetch(trpc.node.list.queryOptions(busiestNodes(id))),
  ]);
  return (
    <HydrateClient>
      <ClusterPage id={id} />
    </HydrateClient>
  );
}
