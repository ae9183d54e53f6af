"use client";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { useQuery } from "@tanstack/react-query";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { DesiredObserved } from "@/components/detail/desired-observed.tsx";
import { FiguresSkeleton } from "@/components/detail/figures.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { describeDifferences } from "@/components/exposure/describe-exposure.ts";
import { PausedNotice } from "@/components/exposure/pause/paused-notice.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BalancerFigures, balancerFigureLabels } from "./balancer-figures.tsx";
import { BalancerTabs } from "./balancer-tabs.tsx";
import { describeBalancer, differencesOfBalancer } from "./describe-balancer.ts";

/** One load balancer: its address, its replicas and its backends. */
export function LoadBalancerPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.loadBalancer.get.queryOptions({ id }), refetchInterval: useLiveInterval(10_000) });
  const balancer = query.data;
  if (query.error && (!balancer || query.error.data?.outcome === "not-found"))
    return (
      <ObjectError
        error={query.error}
        noun="load balancer"
        listHref="/load-balancers"
        listLabel="See all load balancers"
        onRetry={() => void query.refetch()}
      />
    );
  if (!balancer)
    return (
      <>
        <PageHeader title={<Skeleton className="h-6 w-48" />} sentence={<Skeleton className="w-72" />} />
        <FiguresSkeleton labels={balancerFigureLabels} />
      </>
    );
  const differences = differencesOfBalancer(balancer);
  const pausedAt = balancer.exposurePausedAt;
  return (
    <>
      <PageHeader
        before={
          <Crumbs
            trail={[
              { label: "Load balancers", href: "/load-balancers" },
              { label: balancer.exposureName, href: `/exposures/${balancer.exposureId}` },
            ]}
          />
        }
        title={
          <span className="flex flex-wrap items-center gap-x-3">
            {balancer.name}
            <PhaseStatus
              phase={balancer.phase}
              observedAt={balancer.observedAt}
              className="font-normal text-sm tracking-normal"
            />
            {pausedAt ? <StatusBadge status="paused" className="font-normal text-sm tracking-normal" /> : null}
          </span>
        }
        sentence={<BalancerSentence balancer={balancer} />}
      />
      {pausedAt || differences.length > 0 ? (
        <div className="flex flex-col gap-4 px-4 pb-4 md:px-6">
          <PausedNotice pausedAt={pausedAt}>
            Nothing is changed or repaired until{" "}
            <TextLink href={`/exposures/${balancer.exposureId}`} className="text-accent underline">
              its exposure
            </TextLink>{" "}
            is resumed.
          </PausedNotice>
          {differences.length > 0 ? (
            <DesiredObserved sentence={describeDifferences({ deletedAt: null, pausedAt })} differences={differences} />
          ) : null}
        </div>
      ) : null}
      <BalancerFigures balancer={balancer} />
      <BalancerTabs balancer={balancer} />
    </>
  );
}

export function BalancerSentence({ balancer }: { balancer: LoadBalancer }) {
  return (
    <>
      <LongText text={describeBalancer(balancer)} />{" "}
      {balancer.observedAt ? (
        <>
          Seen <Age at={balancer.observedAt} />.
        </>
      ) : null}
    </>
  );
}
