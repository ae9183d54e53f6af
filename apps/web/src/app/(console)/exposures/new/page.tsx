import type { Metadata } from "next";
import { draftFor } from "@/components/exposure/form/draft-for.ts";
import { NewExposurePage } from "@/components/exposure/form/new-exposure-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Create exposure · Exposures" };

type LinkParams = Partial<Record<"cluster" | "kind" | "namespace" | "name", string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Promise<LinkParams> }) {
  const { draft, isFilled } = draftFor(await searchParams);
  await prefetch(trpc.cluster.list.queryOptions({ limit: 200 }));
  return (
    <HydrateClient>
      <NewExposurePage start={draft} isFilled={isFilled} />
    </HydrateClient>
  );
}
