"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { type Figure, Figures } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { capacityOf, count, countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { maxPools } from "./max-pools.ts";

export const clusterFigureLabels = ["Nodes not silent", "Exposures", "Load balancers", "Addresses in use"];

/** The main counts of a cluster. */
export function ClusterFigures({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const pools = useQuery(trpc.addressPool.list.queryOptions({ clusterId: cluster.id, limit: maxPools })).data;
  const taken = pools?.items.reduce((sum, pool) => sum + pool.allocated, 0) ?? 0;
  const capacity = pools?.items.reduce((sum, pool) => sum + pool.capacity, 0) ?? 0;
  const { id, nodeCount, silentNodeCount } = cluster;
  const figures: Figure[] = [
    {
      label: "Nodes not silent",
      value: (
        <TextLink href={`/nodes?cluster=${id}`}>
          <Share part={nodeCount - silentNodeCount} total={nodeCount} />
        </TextLink>
      ),
      note: silentNodeCount > 0 ? `${silentNodeCount} silent` : null,
      tone: silentNodeCount > 0 ? "bad" : undefined,
    },
    {
      label: "Exposures",
      value: <TextLink href={`/exposures?cluster=${id}`}>{count(cluster.exposureCount)}</TextLink>,
    },
    {
      label: "Load balancers",
      value: <TextLink href={`/load-balancers?cluster=${id}`}>{count(cluster.loadBalancerCount)}</TextLink>,
    },
    {
      label: "Addresses in use",
      value: pools ? count(taken) : <Skeleton className="my-1 h-6 w-16" />,
      note: pools ? `of ${capacityOf(capacity)} in ${countOf(pools.total, "pool")}` : null,
    },
  ];
  return <Figures figures={figures} />;
}
