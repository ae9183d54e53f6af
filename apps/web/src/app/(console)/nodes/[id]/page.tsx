import type { Metadata } from "next";
import { NodePage } from "@/components/node/node-page.tsx";
import { HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Node" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await prefetch(trpc.node.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <NodePage id={id} />
    </HydrateClient>
  );
}
