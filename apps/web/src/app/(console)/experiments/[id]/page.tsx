import type { Metadata } from "next";
import { ExperimentPage } from "@/components/experiment/experiment-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Experiment" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await prefetch(trpc.experiment.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <ExperimentPage id={id} />
    </HydrateClient>
  );
}
