import type { Metadata } from "next";
import { EditExposurePage } from "@/components/exposure/edit-exposure-page.tsx";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const exposure = await fetched(trpc.exposure.get.queryOptions({ id: (await params).id }));
  return { title: `Edit ${exposure?.name ?? "exposure"} · Exposures` };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  await prefetch(trpc.exposure.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <EditExposurePage id={id} />
    </HydrateClient>
  );
}
