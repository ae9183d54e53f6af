import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { RunningCosts } from "@/components/cost/running-costs.tsx";
import { allBudgets, loadRunningParams, runningInput } from "@/components/cost/running-params.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Running cost · Costs" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const now = new Date();
  const input = runningInput(await loadRunningParams(searchParams), now);
  await Promise.all([
    prefetch(trpc.budget.list.queryOptions(allBudgets)),
    input && prefetch(trpc.cost.list.queryOptions(input)),
  ]);
  return (
    <HydrateClient>
      <RunningCosts now={now.toISOString()} />
    </HydrateClient>
  );
}
