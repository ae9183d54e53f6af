import type { Metadata } from "next";
import { LoadBalancerPage } from "@/components/load-balancer/load-balancer-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Load balancer" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await prefetch(trpc.loadBalancer.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <LoadBalancerPage id={id} />
    </HydrateClient>
  );
}
