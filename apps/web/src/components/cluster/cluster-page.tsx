"use client";
import { useQuery } from "@tanstack/react-query";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { FiguresSkeleton } from "@/components/detail/figures.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { ClusterActions } from "./cluster-actions.tsx";
import { ClusterFigures, clusterFigureLabels } from "./cluster-figures.tsx";
import { ClusterTabs } from "./cluster-tabs.tsx";
import { describeCluster } from "./describe-cluster.ts";

/** One cluster: its size, and its parts. */
export function ClusterPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.cluster.get.queryOptions({ id }), refetchInterval: useLiveInterval(15_000) });
  const cluster = query.data;
  if (query.error && (!cluster || query.error.data?.outcome === "not-found"))
    return (
      <ObjectError
        error={query.error}
        noun="cluster"
        listHref="/clusters"
        listLabel="See all clusters"
        onRetry={() => void query.refetch()}
      />
    );
  if (!cluster)
    return (
      <>
        <PageHeader title={<Skeleton className="h-6 w-48" />} sentence={<Skeleton className="w-72" />} />
        <FiguresSkeleton labels={clusterFigureLabels} />
      </>
    );
  return (
    <>
      <PageHeader
        before={<Crumbs trail={[{ label: "Clusters", href: "/clusters" }]} />}
        title={
          <span className="flex flex-wrap items-center gap-x-3">
            {cluster.name}
            <span className="font-normal tracking-normal">
              <Badge>{clusterKindWords[cluster.kind].title}</Badge>
            </span>
          </span>
        }
        sentence={describeCluster(cluster)}
        actions={<ClusterActions cluster={cluster} />}
      />
      <ClusterFigures cluster={cluster} />
      <ClusterTabs cluster={cluster} />
    </>
  );
}
