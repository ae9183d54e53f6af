import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { Mappings } from "./client.tsx";
import { loadMappingParams, toMappingInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Mappings" };

export default async function MappingsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadMappingParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.addressMapping.list.queryOptions({ ...toMappingInput(params), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <Mappings />
    </HydrateClient>
  );
}
