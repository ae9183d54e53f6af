import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ExperimentsPage } from "@/components/experiment/experiments-page.tsx";
import { experimentsInput, loadExperimentParams } from "@/components/experiment/search-params.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Experiments" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await prefetch(trpc.experiment.list.queryOptions(experimentsInput(await loadExperimentParams(searchParams))));
  return (
    <HydrateClient>
      <ExperimentsPage />
    </HydrateClient>
  );
}
