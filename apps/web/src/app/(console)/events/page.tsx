import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { EventList } from "./client.tsx";
import { loadEventParams, toEventInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Events" };

export default async function EventsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadEventParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.event.list.queryOptions({ ...toEventInput(params, Date.now()), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <EventList />
    </HydrateClient>
  );
}
