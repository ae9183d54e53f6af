import type { Metadata } from "next";
import { ClusterPage } from "@/components/cluster/cluster-page.tsx";
import { maxPools } from "@/components/cluster/max-pools.ts";
import { busiestNodes } from "@/components/overview/busiest-nodes.ts";
import { isFirstTab, type SearchParams } from "@/server/is-first-tab.ts";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const cluster = await fetched(trpc.cluster.get.queryOptions({ id: (await params).id }));
  return { title: `${cluster?.name ?? "Cluster"} · Clusters` };
}

export default async function Page({ params, searchParams }: Props) {
  const { id } = await params;
  const showsNodes = await isFirstTab(searchParams, "nodes");
  await Promise.all([
    prefetch(trpc.cluster.get.queryOptions({ id })),
    prefetch(trpc.addressPool.list.queryOptions({ clusterId: id, limit: maxPools })),
    showsNodes && prefetch(trpc.node.list.queryOptions(busiestNodes(id))),
  ]);
  return (
    <HydrateClient>
      <ClusterPage id={id} />
    </HydrateClient>
  );
}
