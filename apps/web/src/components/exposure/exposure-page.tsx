"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { useQuery } from "@tanstack/react-query";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { DesiredObserved } from "@/components/detail/desired-observed.tsx";
import { FiguresSkeleton } from "@/components/detail/figures.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { MovePanel } from "@/components/move/move-panel.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { sumBalancers } from "./balancer-sums.ts";
import { describeDifferences, describeExposure } from "./describe-exposure.ts";
import { differencesOf } from "./differences.ts";
import { ExposureActions } from "./exposure-actions.tsx";
import { ExposureFigures, exposureFigureLabels } from "./exposure-figures.tsx";
import { ExposureTabs } from "./exposure-tabs.tsx";
import { maxBalancers } from "./max-balancers.ts";
import { PausedNotice } from "./pause/paused-notice.tsx";

/** One exposure: its state, its spec and its load balancers. */
export function ExposurePage({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.exposure.get.queryOptions({ id }), refetchInterval: useLiveInterval(10_000) });
  const balancers = useQuery(trpc.loadBalancer.list.queryOptions({ exposureId: id, limit: maxBalancers }));
  const exposure = query.data;
  if (query.error && (!exposure || query.error.data?.outcome === "not-found"))
    return (
      <ObjectError
        error={query.error}
        noun="exposure"
        listHref="/exposures"
        listLabel="See all exposures"
        onRetry={() => void query.refetch()}
      />
    );
  if (!exposure)
    return (
      <>
        <PageHeader title={<Skeleton className="h-6 w-48" />} sentence={<Skeleton className="w-72" />} />
        <FiguresSkeleton labels={exposureFigureLabels} />
      </>
    );
  const sums = balancers.data ? sumBalancers(balancers.data.items) : null;
  const differences = sums ? differencesOf(exposure, sums) : [];
  return (
    <>
      <PageHeader
        before={
          <Crumbs
            trail={[
              { label: "Exposures", href: "/exposures" },
              { label: exposure.clusterName, href: `/clusters/${exposure.clusterId}` },
            ]}
          />
        }
        title={
          <span className="flex flex-wrap items-center gap-x-3">
            {exposure.name}
            <PhaseStatus
              phase={exposure.phase}
              observedAt={exposure.observedAt}
              className="font-normal text-sm tracking-normal"
            />
            {exposure.pausedAt ? <StatusBadge status="paused" className="font-normal text-sm tracking-normal" /> : null}
          </span>
        }
        sentence={<ExposureSentence exposure={exposure} />}
        actions={<ExposureActions exposure={exposure} />}
      />
      {exposure.pausedAt || differences.length > 0 ? (
        <div className="flex flex-col gap-4 px-4 pb-4 md:px-6">
          <PausedNotice pausedAt={exposure.pausedAt}>
            {exposure.conditions.find(({ type }) => type === "Paused")?.message}
          </PausedNotice>
          {differences.length > 0 ? (
            <DesiredObserved sentence={describeDifferences(exposure)} differences={differences} />
          ) : null}
        </div>
      ) : null}
      <ExposureFigures exposure={exposure} sums={sums} failed={balancers.error !== null} />
      <MovePanel exposureId={id} />
      <ExposureTabs exposure={exposure} balancers={balancers} />
    </>
  );
}

export function ExposureSentence({ exposure }: { exposure: Exposure }) {
  return (
    <>
      <p>
        <LongText text={describeExposure(exposure)} />
      </p>
      {/* On its own line, which an age that is shorter than its reserved space can't unwrap. */}
      <p>
        Last changed <Age at={exposure.updatedAt} />.
      </p>
    </>
  );
}
