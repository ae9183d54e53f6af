"use client";
import { useQuery } from "@tanstack/react-query";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { FiguresSkeleton } from "@/components/detail/figures.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { FleetNow } from "@/components/overview/fleet-now.tsx";
import { clusterSpec } from "@/components/spec/cluster-spec.ts";
import { SpecDialog } from "@/components/spec/spec-dialog.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { ClusterCloudMetrics } from "./cloud/cluster-cloud-metrics.tsx";
import { ClusterCloudRoute } from "./cloud/cluster-cloud-route.tsx";
import { ClusterActions } from "./cluster-actions.tsx";
import { ClusterExposures } from "./cluster-exposures.tsx";
import { ClusterFacts } from "./cluster-facts.tsx";
import { ClusterFigures, clusterFigureLabels } from "./cluster-figures.tsx";
import { ClusterHistory } from "./cluster-history.tsx";
import { ClusterPools } from "./cluster-pools.tsx";
import { ClusterTokens } from "./cluster-tokens.tsx";
import { describeCluster } from "./describe-cluster.ts";
import { ClusterInventory } from "./kubernetes/cluster-inventory.tsx";
import { ClusterKubernetes } from "./kubernetes/cluster-kubernetes.tsx";
import { ClusterNodes } from "./nodes/cluster-nodes.tsx";
import { ClusterRouting } from "./routing/cluster-routing.tsx";
import { ClusterRunsAs } from "./runs-as/cluster-runs-as.tsx";

/** One cluster: its nodes, its exposures and its address pools. */
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
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <FleetNow clusterId={id} />
        {cluster.kind === "kubernetes" ? <ClusterKubernetes cluster={cluster} /> : null}
        {cluster.kubernetes ? <ClusterInventory cluster={cluster} /> : null}
        <ClusterNodes cluster={cluster} />
        <ClusterTokens cluster={cluster} />
        <ClusterExposures cluster={cluster} />
        <ClusterRouting cluster={cluster} />
        <ClusterCloudRoute cluster={cluster} />
        <ClusterCloudMetrics cluster={cluster} />
        <ClusterRunsAs cluster={cluster} />
        <div className="grid gap-8 lg:grid-cols-2">
          <ClusterPools cluster={cluster} />
          <Section
            title="Facts"
            actions={
              <SpecDialog
                name={cluster.name}
                path="/clusters"
                spec={clusterSpec(cluster)}
                hint="Where it runs, routing, cloud settings and access to its API are not in it: set them on this page, or with PATCH /clusters/{id}."
              />
            }
          >
            <ClusterFacts cluster={cluster} />
          </Section>
        </div>
        <SubjectEvents clusterId={id} empty="No events. Changes of nodes and exposures appear here." />
        <ClusterHistory cluster={cluster} />
      </div>
    </>
  );
}
