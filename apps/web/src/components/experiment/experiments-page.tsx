"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useMay } from "@/components/frame/session.tsx";
import { DownloadList } from "@/components/table/download-list.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ExperimentTable } from "./experiment-table.tsx";
import { experimentParams, experimentsInput, shown } from "./search-params.ts";
import { StartDialog } from "./start-dialog.tsx";

/** All experiments, newest first. */
export function ExperimentsPage() {
  const trpc = useTRPC();
  const [params, setParams] = useQueryStates(experimentParams);
  const may = useMay("cluster:write");
  const refetchInterval = useLiveInterval();
  const query = useQuery({ ...trpc.experiment.list.queryOptions(experimentsInput(params)), refetchInterval });
  const clusterName = useClusterName(params.cluster);
  const { data, error } = query;
  if (error && !data)
    return (
      <ErrorState
        what="Could not load experiments"
        message={problemOf(error).message}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  const running = data?.items.filter(({ state }) => state === "running").length ?? 0;
  const start = may ? (
    <Button variant="primary" onClick={() => void setParams({ start: true })}>
      Start experiment
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        before={<Crumbs trail={[{ label: "Routing", href: "/routing" }]} />}
        title="Experiments"
        sentence={
          data
            ? `${countOf(data.total, "experiment")}${clusterName ? ` in ${clusterName}` : ""}, ${running === 0 ? "none running" : running === 1 ? "one running" : `${running} running`}.`
            : null
        }
        actions={
          data?.total === 0 ? null : (
            <>
              <DownloadList
                name="experiments"
                total={data?.total}
                pageQuery={(offset, limit) =>
                  trpc.experiment.list.queryOptions({ ...experimentsInput(params), offset, limit })
                }
              />
              {start}
            </>
          )
        }
      />
      {data?.total === 0 ? (
        <EmptyState title="No experiments" actions={start}>
          An experiment drains replicas of a cluster and restores them at random. It measures how soon routers update
          their routes, whether throughput follows the replica count, and whether connections break. Start one.
        </EmptyState>
      ) : (
        <div className="px-4 py-6 md:px-6">
          <ExperimentTable experiments={data?.items} empty={null} />
          {data && data.total > shown ? (
            <p className="pt-2 text-muted text-sm">
              The newest {shown} of {countOf(data.total, "experiment")}. Select a cluster to see its own.
            </p>
          ) : null}
        </div>
      )}
      <StartDialog
        open={params.start && may}
        clusterId={params.cluster}
        onClose={() => void setParams({ start: null })}
      />
    </>
  );
}
