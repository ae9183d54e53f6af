"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { AllLink } from "@/components/detail/all-link.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { EventList } from "@/components/event/event-list.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { AttentionList } from "./attention-list.tsx";
import { ClusterTable } from "./cluster-table.tsx";
import { describeAttention } from "./describe-attention.ts";
import { FleetNow } from "./fleet-now.tsx";
import { maxClusters } from "./max-clusters.ts";
import { nextSteps } from "./next-steps.ts";
import { NextStepsList } from "./next-steps-list.tsx";
import { OverviewFigures } from "./overview-figures.tsx";
import { reportingCount } from "./reporting-count.ts";

/** The state of everything, across all clusters. */
export function OverviewPage() {
  const trpc = useTRPC();
  const overviewQuery = useQuery({ ...trpc.overview.get.queryOptions(), refetchInterval: useLiveInterval() });
  // Most problems begin by the lapse of time, without a change that the stream could report.
  const attentionQuery = useQuery({
    ...trpc.attention.list.queryOptions({}),
    refetchInterval: useLiveInterval(10_000),
  });
  const clusters = useQuery({
    ...trpc.cluster.list.queryOptions({ limit: maxClusters }),
    placeholderData: keepPreviousData,
  });
  const pools = useQuery(trpc.addressPool.list.queryOptions({ limit: 1 }));
  const overview = overviewQuery.data;
  const attention = attentionQuery.data;
  const failed = [overviewQuery, attentionQuery].find((query) => query.error && !query.data);
  if (failed)
    return (
      <ErrorState
        what="Could not load the overview"
        message={problemOf(failed.error).message}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
  return (
    <>
      <PageHeader
        title="Overview"
        sentence={
          overview && attention ? (
            <>
              {describeAttention(attention, overview)}{" "}
              {/* Its own line, which an age that is shorter than its reserved space can't unwrap. */}
              <span className="block">
                As of <Age at={attention.at} />.
              </span>
            </>
          ) : null
        }
      />
      <OverviewFigures overview={overview} />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <Section title="Needs attention" hint={attention && attention.total > 0 ? count(attention.total) : null}>
          {attention ? <AttentionList listed={attention} /> : null}
        </Section>
        {overview && pools.data ? (
          <NextStepsList
            steps={nextSteps({
              nodes: overview.nodes.total,
              reporting: reportingCount(overview.nodes),
              pools: pools.data.total,
              exposures: overview.exposures.total,
            })}
          />
        ) : null}
        <FleetNow />
        <div className="grid gap-x-8 gap-y-8 lg:grid-cols-2">
          <Section
            title="Clusters"
            actions={<AllLink href="/clusters" total={clusters.data?.total} shown={maxClusters} />}
          >
            <ClusterTable clusters={clusters.data?.items} />
          </Section>
          <Section
            title="Recent events"
            actions={
              <TextLink href="/events" className="text-accent text-sm">
                All events
              </TextLink>
            }
          >
            <EventList
              events={overview?.recentEvents}
              withSubject
              empty="No events. Changes of nodes and exposures appear here."
            />
          </Section>
        </div>
      </div>
    </>
  );
}
