"use client";
import { useQuery } from "@tanstack/react-query";
import { BackendsTable } from "@/components/balancer-parts/backends-table.tsx";
import { ReplicasTable } from "@/components/balancer-parts/replicas-table.tsx";
import { seenEveryMs } from "@/components/balancer-parts/seen-every-ms.ts";
import { Traffic } from "@/components/balancer-parts/traffic.tsx";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { DesiredObserved } from "@/components/detail/desired-observed.tsx";
import { FiguresSkeleton } from "@/components/detail/figures.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Age } from "@/components/ui/age.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { PhaseStatus } from "@/components/ui/phase-status.tsx";
import { Section } from "@/components/ui/section.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BalancerFacts } from "./balancer-facts.tsx";
import { BalancerFigures, balancerFigureLabels } from "./balancer-figures.tsx";
import { describeBalancer, differencesOfBalancer } from "./describe-balancer.ts";

/** One load balancer: its address, its replicas, and what is behind it. */
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
          </span>
        }
        sentence={
          <>
            {describeBalancer(balancer)}{" "}
            {balancer.observedAt ? (
              <>
                Seen <Age at={balancer.observedAt} />.
              </>
            ) : null}
          </>
        }
      />
      <BalancerFigures balancer={balancer} />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        {differences.length > 0 ? (
          <DesiredObserved sentence="What is there is not yet what is asked for." differences={differences} />
        ) : null}
        <Traffic balancers={[balancer]} replicas={balancer.replicas} backends={balancer.backends} />
        {balancer.kind === "fairlead" ? (
          <Section title="Replicas" hint="copies of our balancer, each on a node">
            <ReplicasTable replicas={balancer.replicas} />
          </Section>
        ) : null}
        <Section title="Backends" hint="state is what we do with it, health is how it answers">
          <BackendsTable backends={balancer.backends} seenEveryMs={seenEveryMs(balancer.replicas)} />
        </Section>
        <div className="grid gap-8 lg:grid-cols-2">
          <Section title="Facts">
            <BalancerFacts balancer={balancer} />
          </Section>
          <SubjectEvents
            subjectId={id}
            empty="Nothing happened to this load balancer yet. Backends that come and go are told here."
          />
        </div>
      </div>
    </>
  );
}
