import type { Metadata } from "next";
import { balancersShown } from "@/components/exposure-detail/balancers-shown.ts";
import { ExposurePage } from "@/components/exposure-detail/exposure-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Exposure" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await Promise.all([
    prefetch(trpc.exposure.get.queryOptions({ id })),
    prefetch(trpc.loadBalancer.list.queryOptions({ exposureId: id, limit: balancersShown })),
  ]);
  return (
    <HydrateClient>
      <ExposurePage id={id} />
    </HydrateClient>
  );
}
