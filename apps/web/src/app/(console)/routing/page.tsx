import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { RoutingPage } from "@/components/routing/routing-page.tsx";
import {
  announcementsInput,
  cloudAddressesInput,
  loadRoutingParams,
  routesInput,
  sessionsInput,
  summaryInput,
} from "@/components/routing/search-params.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Routing" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadRoutingParams(searchParams);
  await Promise.all([
    prefetch(trpc.routing.summary.queryOptions(summaryInput(params))),
    prefetch(trpc.bgpSession.list.queryOptions(sessionsInput(params))),
    prefetch(trpc.announcement.list.queryOptions(announcementsInput(params))),
    prefetch(trpc.cloudAddress.list.queryOptions(cloudAddressesInput(params))),
    prefetch(trpc.route.list.queryOptions(routesInput(params))),
  ]);
  return (
    <HydrateClient>
      <RoutingPage />
    </HydrateClient>
  );
}
