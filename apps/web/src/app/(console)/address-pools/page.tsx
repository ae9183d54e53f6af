import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { PoolList } from "./client.tsx";
import { loadPoolParams, toPoolInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Address pools" };

export default async function AddressPoolsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadPoolParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.addressPool.list.queryOptions({ ...toPoolInput(params), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <PoolList />
    </HydrateClient>
  );
}
