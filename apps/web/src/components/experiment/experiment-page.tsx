"use client";
import type { ExperimentDetail } from "@fairlead/domain/experiment";
import { useQuery } from "@tanstack/react-query";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { DelayHistograms } from "@/components/routing/delay-histograms.tsx";
import { SaveCsv } from "@/components/table/save-csv.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useNowOf } from "@/components/ui/time/now.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { describeExperiment, experimentLooks } from "./describe-experiment.ts";
import { ExperimentCharts } from "./experiment-charts.tsx";
import { ExperimentFigures, ExperimentFiguresSkeleton } from "./experiment-figures.tsx";
import { SettlingBars } from "./settling-bars.tsx";
import { StepsTable } from "./steps-table.tsx";
import { StopExperiment } from "./stop-experiment.tsx";

/** The page keeps polling for a while after the end, because the last client reports arrive later. */
const lastWordsMs = 30_000;

/** One experiment: its state, its effect on routes and traffic, and the settle times. */
export function ExperimentPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const every = useLiveInterval();
  const query = useQuery({
    ...trpc.experiment.get.queryOptions({ id }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? every : false),
  });
  const experiment = query.data;
  if (query.error && !experiment)
    return (
      <ObjectError
        error={query.error}
        noun="experiment"
        listHref="/experiments"
        listLabel="See all experiments"
        onRetry={() => void query.refetch()}
      />
    );
  if (!experiment)
    return (
      <>
        <PageHeader title={<Skeleton className="h-6 w-48" />} sentence={<Skeleton className="w-72" />} />
        <ExperimentFiguresSkeleton />
      </>
    );
  return <Details experiment={experiment} />;
}

/** A missing experiment is not polled. */
const isMoving = (of: ExperimentDetail | undefined) =>
  of !== undefined && (of.endedAt === null || Date.now() - of.endedAt.getTime() < lastWordsMs);

function Details({ experiment }: { experiment: ExperimentDetail }) {
  const { id, clusterId } = experiment;
  const trpc = useTRPC();
  const every = useLiveInterval();
  const series = useQuery({
    ...trpc.experiment.series.queryOptions({ id, maxPoints: 600 }),
    refetchInterval: isMoving(experiment) ? every : false,
  });
  return (
    <>
      <Head experiment={experiment} />
      <ExperimentFigures experiment={experiment} series={series.data} />
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        {series.data ? (
          <ExperimentCharts experiment={experiment} series={series.data} />
        ) : series.error ? (
          <div role="alert" className="flex flex-col items-start gap-2 text-sm">
            <p>{problemOf(series.error).message} The experiment is not affected: this page only reads.</p>
            <Button size="sm" onClick={() => void series.refetch()} busy={series.isFetching}>
              Try again
            </Button>
          </div>
        ) : (
          <Skeleton className="h-[32rem] w-full" />
        )}
        <Section
          title="Settle time"
          docs="experimentCharts"
          hint="from the control plane's change until all routes are updated"
          actions={<SaveCsv name="settle times" rows={() => experiment.delays} />}
        >
          <SettlingBars delays={experiment.delays} />
        </Section>
        <StepsTable experiment={experiment} />
        <Section title="Update delays" docs="updatePhases" hint="by phase, of all routes of the cluster in that time">
          {series.data ? (
            <DelayHistograms clusterId={clusterId} from={series.data.from} to={series.data.to} />
          ) : (
            <div className="h-56" />
          )}
        </Section>
        <SubjectEvents subjectId={id} empty="No events yet. The start and the end of the experiment appear here." />
      </div>
    </>
  );
}

function Head({ experiment }: { experiment: ExperimentDetail }) {
  const { clusterId, clusterName, state, seed } = experiment;
  const sentence = useNowOf((now) => describeExperiment(experiment, now));
  return (
    <PageHeader
      before={
        <Crumbs
          trail={[
            { label: "Routing", href: "/routing" },
            { label: "Experiments", href: "/experiments" },
            { label: clusterName, href: `/clusters/${clusterId}` },
          ]}
        />
      }
      title={
        <span className="flex flex-wrap items-center gap-x-3">
          Experiment in {clusterName}
          <StatusBadge status={experimentLooks[state]} className="font-normal text-sm tracking-normal" />
        </span>
      }
      sentence={
        <>
          {sentence} Seed <span className="font-mono">{seed}</span>.
        </>
      }
      actions={<StopExperiment experiment={experiment} />}
    />
  );
}
