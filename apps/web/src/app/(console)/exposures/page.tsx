import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { ExposureList } from "./client.tsx";
import { loadExposureParams, toExposureInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Exposures" };

export default async function ExposuresPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadExposureParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.exposure.list.queryOptions({ ...toExposureInput(params), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <ExposureList />
    </HydrateClient>
  );
}
