import type { Metadata } from "next";
import { NewExposurePage } from "@/components/exposure-form/new-exposure-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Create exposure" };

export default async function Page({ searchParams }: { searchParams: Promise<{ cluster?: string | string[] }> }) {
  const { cluster } = await searchParams;
  await prefetch(trpc.cluster.list.queryOptions({ limit: 200 }));
  return (
    <HydrateClient>
      <NewExposurePage clusterId={typeof cluster === "string" ? cluster : ""} />
    </HydrateClient>
  );
}
