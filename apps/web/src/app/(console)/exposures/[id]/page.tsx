import type { Metadata } from "next";
import { ExposurePage } from "@/components/exposure/exposure-page.tsx";
import { maxBalancers } from "@/components/exposure/max-balancers.ts";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Exposure" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await Promise.all([
    prefetch(trpc.exposure.get.queryOptions({ id })),
    prefetch(trpc.loadBalancer.list.queryOptions({ exposureId: id, limit: maxBalancers })),
  ]);
  return (
    <HydrateClient>
      <ExposurePage id={id} />
    </HydrateClient>
  );
}
