import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { PricesPage } from "@/components/cost/prices/prices-page.tsx";
import { heldInput, loadPriceParams, refreshesInput } from "@/components/cost/prices/search-params.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Price refreshes · Costs" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { refresh } = await loadPriceParams(searchParams);
  await Promise.all([
    prefetch(trpc.priceRefresh.list.queryOptions(refreshesInput)),
    prefetch(trpc.priceRefresh.list.queryOptions(heldInput)),
    ...(refresh ? [prefetch(trpc.priceRefresh.get.queryOptions({ id: refresh }))] : []),
  ]);
  return (
    <HydrateClient>
      <PricesPage />
    </HydrateClient>
  );
}
