import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { ClusterList } from "./client.tsx";
import { loadClusterParams, toClusterInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Clusters" };

export default async function ClustersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadClusterParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.cluster.list.queryOptions({ ...toClusterInput(params), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <ClusterList />
    </HydrateClient>
  );
}
