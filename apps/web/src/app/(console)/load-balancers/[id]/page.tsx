import type { Metadata } from "next";
import { LoadBalancerPage } from "@/components/load-balancer/load-balancer-page.tsx";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const loadBalancer = await fetched(trpc.loadBalancer.get.queryOptions({ id: (await params).id }));
  return { title: `${loadBalancer?.name ?? "Load balancer"} · Load balancers` };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  await prefetch(trpc.loadBalancer.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <LoadBalancerPage id={id} />
    </HydrateClient>
  );
}
