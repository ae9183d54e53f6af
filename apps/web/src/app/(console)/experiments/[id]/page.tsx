import type { Metadata } from "next";
import { ExperimentPage } from "@/components/experiment/experiment-page.tsx";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const experiment = await fetched(trpc.experiment.get.queryOptions({ id: (await params).id }));
  return { title: experiment ? `Experiment in ${experiment.clusterName} · Experiments` : "Experiment · Experiments" };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  await prefetch(trpc.experiment.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <ExperimentPage id={id} />
    </HydrateClient>
  );
}
