import type { Metadata } from "next";
import { NodePage } from "@/components/node/node-page.tsx";
import { fetched, HydrateClient, prefetch, trpc } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const node = await fetched(trpc.node.get.queryOptions({ id: (await params).id }));
  return { title: `${node?.name ?? "Node"} · Nodes` };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  await prefetch(trpc.node.get.queryOptions({ id }));
  return (
    <HydrateClient>
      <NodePage id={id} />
    </HydrateClient>
  );
}
