import type { Metadata } from "next";
import { ExposurePage } from "@/components/exposure/exposure-page.tsx";
import { maxBalancers } from "@/components/exposure/max-balancers.ts";
import { isFirstTab, type SearchParams } from "@/server/is-first-tab.ts";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const exposure = await fetched(trpc.exposure.get.queryOptions({ id: (await params).id }));
  return { title: `${exposure?.name ?? "Exposure"} · Exposures` };
}

export default async function Page({ params, searchParams }: Props) {
  const { id } = await params;
  const showsTraffic = await isFirstTab(searchParams, "traffic");
  await Promise.all([
    prefetch(trpc.exposure.get.queryOptions({ id })),
    prefetch(trpc.loadBalancer.list.queryOptions({ exposureId: id, limit: maxBalancers })),
    showsTraffic && prefetch(trpc.trafficFlow.ofExposure.queryOptions({ id })),
  ]);
  return (
    <HydrateClient>
      <ExposurePage id={id} />
    </HydrateClient>
  );
}
