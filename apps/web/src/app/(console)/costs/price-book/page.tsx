import type { Metadata } from "next";
import { listed } from "@/components/cost/price-book/max-listed.ts";
import { PriceBookPage } from "@/components/cost/price-book/price-book-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Price book · Costs" };

export default async function Page() {
  await Promise.all([
    prefetch(trpc.ownMachine.list.queryOptions(listed)),
    prefetch(trpc.negotiatedPrice.list.queryOptions(listed)),
    prefetch(trpc.currencyRate.list.queryOptions(listed)),
  ]);
  return (
    <HydrateClient>
      <PriceBookPage />
    </HydrateClient>
  );
}
