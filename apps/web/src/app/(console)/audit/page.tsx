import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { AuditList } from "./client.tsx";
import { loadAuditParams, toAuditInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadAuditParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.audit.list.queryOptions({ ...toAuditInput(params, Date.now()), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <AuditList />
    </HydrateClient>
  );
}
