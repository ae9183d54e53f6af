import type { Metadata } from "next";
import { ClusterPage } from "@/components/cluster/cluster-page.tsx";
import { maxPools } from "@/components/cluster/max-pools.ts";
import { busiestNodes } from "@/components/overview/busiest-nodes.ts";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const cluster = await fetched(trpc.cluster.get.queryOptions({ id: (await params).id }));
  return { title: `${cluster?.name ?? "Cluster"} · Clusters` };
}

export default async function Page({ params }: Props) {
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
