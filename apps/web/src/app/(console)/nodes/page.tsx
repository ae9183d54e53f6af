import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { NodeList } from "./client.tsx";
import { loadNodeParams, toNodeInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Nodes" };

export default async function NodesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadNodeParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await Promise.all([
    prefetch(trpc.node.list.queryOptions({ ...toNodeInput(params), offset, limit: pageSize })),
    // Its warning is at the top of the dialog, and must not move what is below.
    params.add && prefetch(trpc.controlPlane.get.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <NodeList />
    </HydrateClient>
  );
}
