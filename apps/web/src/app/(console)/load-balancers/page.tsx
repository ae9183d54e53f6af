import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { pageSize } from "@/components/table/window-pages.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";
import { LoadBalancerList } from "./client.tsx";
import { loadLoadBalancerParams, toLoadBalancerInput } from "./search-params.ts";

export const metadata: Metadata = { title: "Load balancers" };

export default async function LoadBalancersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadLoadBalancerParams(searchParams);
  const offset = Math.floor(params.row / pageSize) * pageSize;
  await prefetch(trpc.loadBalancer.list.queryOptions({ ...toLoadBalancerInput(params), offset, limit: pageSize }));
  return (
    <HydrateClient>
      <LoadBalancerList />
    </HydrateClient>
  );
}
