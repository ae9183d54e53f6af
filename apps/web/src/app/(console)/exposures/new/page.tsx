import type { Metadata } from "next";
import { draftFor, draftFrom } from "@/components/exposure/form/draft-for.ts";
import { NewExposurePage } from "@/components/exposure/form/new-exposure-page.tsx";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Create exposure · Exposures" };

type LinkParams = Partial<Record<"cluster" | "kind" | "namespace" | "name" | "from", string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Promise<LinkParams> }) {
  const { from, ...params } = await searchParams;
  const original = typeof from === "string" ? await fetched(trpc.exposure.get.queryOptions({ id: from })) : null;
  const link = original ? draftFrom(original) : draftFor(params);
  await prefetch(trpc.cluster.list.queryOptions({ limit: 200 }));
  return (
    <HydrateClient>
      <NewExposurePage link={link} />
    </HydrateClient>
  );
}
