import type { Metadata } from "next";
import { EditExposurePage } from "@/components/exposure/edit-exposure-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Edit exposure" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await prefetch(trpc.exposure.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <EditExposurePage id={id} />
    </HydrateClient>
  );
}
