"use client";
import { strategies } from "@fairlead/domain/exposure";
import { useQuery } from "@tanstack/react-query";
import { MapSection } from "@/components/address-map/map-section.tsx";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { ComparedCosts } from "@/components/cost/compared-costs.tsx";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { DesiredObserved } from "@/components/detail/desired-observed.tsx";
import { FiguresSkeleton } from "@/components/detail/figures.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { BackendsTable } from "@/components/load-balancer/parts/backends-table.tsx";
import { observeIntervalMs } from "@/components/load-balancer/parts/observe-interval-ms.ts";
import { ReplicasTable } from "@/components/load-balancer/parts/replicas-table.tsx";
import { Traffic } from "@/components/load-balancer/parts/traffic.tsx";
import { exposureSpec } from "@/components/spec/exposure-spec.ts";
import { SpecDialog } from "@/components/spec/spec-dialog.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { sumBalancers } from "./balancer-sums.ts";
import { BalancersTable } from "./balancers-table.tsx";
import { CloneButton } from "./clone-button.tsx";
import { ConditionsTable } from "./conditions-table.tsx";
import { describeDifferences, describeExposure } from "./describe-exposure.ts";
import { differencesOf } from "./differences.ts";
import { ExposureActions } from "./exposure-actions.tsx";
import { ExposureFigures, exposureFigureLabels } from "./exposure-figures.tsx";
import { ExposureHistory } from "./exposure-history.tsx";
import { maxBalancers } from "./max-balancers.ts";
import { PausedNotice } from "./pause/paused-notice.tsx";
import { SpecFacts } from "./spec-facts.tsx";

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
  const facts = strategies[exposure.strategy.type];
  const names = new Map((balancers.data?.items ?? []).map((each) => [each.id, each.name]));
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
        sentence={
          <>
            <p>{describeExposure(exposure)}</p>
            {/* On its own line, which an age that is shorter than its reserved space can't unwrap. */}
            <p>
              Last changed <Age at={exposure.updatedAt} />.
            </p>
          </>
        }
        actions={<ExposureActions exposure={exposure} />}
      />
      <ExposureFigures exposure={exposure} sums={sums} />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <PausedNotice exposure={exposure} />
        {differences.length > 0 ? (
          <DesiredObserved sentence={describeDifferences(exposure)} differences={differences} />
        ) : null}
        {balancers.data && balancers.data.items.length > 0 ? (
          <ChartEvents subjectId={id}>
            <Traffic balancers={balancers.data.items} replicas={exposure.replicas} backends={exposure.backends} />
          </ChartEvents>
        ) : null}
        <Section title="Load balancers" hint={sums?.total}>
          <BalancersTable
            balancers={balancers.data?.items}
            total={balancers.data?.total ?? 0}
            isPerInstance={facts.balancers === "per-replica"}
          />
        </Section>
        <MapSection exposure={exposure} />
        {facts.madeBy === "services" ? null : (
          <Section title="Replicas" hint="copies of the load balancer, each on its own node">
            <ReplicasTable replicas={exposure.replicas} names={names} />
          </Section>
        )}
        <Section title="Backends" hint="state is set by the balancer, health by the health check">
          <BackendsTable
            backends={exposure.backends}
            names={names}
            observeIntervalMs={observeIntervalMs(exposure.replicas)}
          />
        </Section>
        <ComparedCosts exposureId={id} clusterId={exposure.clusterId} />
        <Section title="Conditions" hint="the status of each condition, with time and reason">
          <ConditionsTable conditions={exposure.conditions} />
        </Section>
        <div className="grid gap-8 lg:grid-cols-2">
          <Section
            title="Spec"
            hint={`version ${exposure.generation}`}
            actions={
              <>
                <SpecDialog name={exposure.name} path="/exposures" spec={exposureSpec(exposure)} />
                <CloneButton exposure={exposure} />
              </>
            }
          >
            <SpecFacts exposure={exposure} />
          </Section>
          <SubjectEvents subjectId={id} empty="No events. Changes of this exposure appear here." />
        </div>
        <ExposureHistory exposure={exposure} />
      </div>
    </>
  );
}
