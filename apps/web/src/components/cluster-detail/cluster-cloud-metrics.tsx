"use client";
import { type CloudMetrics, type CloudMetricsStatus, type Cluster, cloudMetricsReadEveryMs } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesCombined } from "lucide-react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Facts } from "@/components/table/facts.tsx";
import { Age } from "@/components/ui/age.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { cloudMetricsLooks } from "@/components/words/cloud-metrics.ts";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { CloudMetricsForm } from "./cloud-metrics-form.tsx";
import { ClusterSetting, Unset } from "./cluster-setting.tsx";

/** Where a cloud tells what the load balancers measured that it runs for the cluster, and how far that is read. */
export function ClusterCloudMetrics({ cluster }: { cluster: Cluster }) {
  const { cloudMetrics } = cluster;
  return (
    <ClusterSetting
      id="cloud-metrics"
      title="Cloud metrics"
      link={cloudMetrics ? { href: `/load-balancers?cluster=${cluster.id}`, label: "See its load balancers" } : null}
      action={{ icon: ChartNoAxesCombined, label: cloudMetrics ? "Change" : "Set up" }}
      dialog={{
        title: `Cloud metrics of ${cluster.name}`,
        description: "By which key AWS is asked what the load balancers measured that it runs.",
      }}
      form={(onDone) => <CloudMetricsForm cluster={cluster} onDone={onDone} />}
    >
      {cloudMetrics ? (
        <Asked clusterId={cluster.id} settings={cloudMetrics} />
      ) : (
        <Unset>
          No cloud is asked what its load balancers measured, so those that a cloud runs have no charts, and what they
          carried is metered nowhere. With a key that may only read, AWS tells traffic and connections of each minute.
        </Unset>
      )}
    </ClusterSetting>
  );
}

function Asked({ clusterId, settings }: { clusterId: string; settings: CloudMetrics }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.cluster.getCloudMetricsStatus.queryOptions({ id: clusterId }),
    refetchInterval: useLiveInterval(10_000),
  });
  const status = query.data;
  const { region, monitoringEndpoint, balancingEndpoint } = settings;
  return (
    <div className="flex flex-col gap-4">
      {query.error && !status ? (
        <ErrorState
          what="How far they are read can’t be told"
          message={problemOf(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Standing status={status} />
      )}
      <Facts
        rows={[
          ["Cloud", `AWS, ${region}`],
          ["Load balancers", status ? foundOf(status) : <Skeleton key="found" className="w-40" />],
          ["Asks for", status ? askedOf(status) : <Skeleton key="asks" className="w-40" />],
          ["CloudWatch", monitoringEndpoint ? <Mono key="monitoring">{monitoringEndpoint}</Mono> : null],
          ["Balancing", balancingEndpoint ? <Mono key="balancing">{balancingEndpoint}</Mono> : null],
        ]}
      />
      {status ? <Troubled status={status} /> : null}
    </div>
  );
}

function Standing({ status }: { status: CloudMetricsStatus | undefined }) {
  if (!status) return <Skeleton className="w-72" />;
  const { phase, message, observedAt, readAt } = status;
  const isRead = phase === "reading" || phase === "partial";
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={cloudMetricsLooks[phase]} className="font-medium" />
        {readAt ? (
          <span className="text-muted">
            last read <Age at={readAt} expectedEveryMs={cloudMetricsReadEveryMs} />
          </span>
        ) : null}
        {observedAt && !isRead ? (
          <span className="text-muted">
            asked <Age at={observedAt} />
          </span>
        ) : null}
        {observedAt ? null : <span className="text-muted">The controller asks at once; this takes a moment.</span>}
      </span>
      {message ? <span className="max-w-prose break-words">{message}</span> : null}
    </div>
  );
}

const mostShown = 5;

/** Of which nothing is read, or not all, and why. */
function Troubled({ status }: { status: CloudMetricsStatus }) {
  const troubled = status.balancers.filter((each) => each.problem !== "");
  if (troubled.length < 2) return null;
  return (
    <ul aria-label="Load balancers that aren’t read" className="flex flex-col divide-y text-sm">
      {troubled.slice(0, mostShown).map(({ loadBalancerId, name, problem }) => (
        <li key={loadBalancerId} className="flex flex-wrap gap-x-3 gap-y-0.5 py-1.5">
          <TextLink href={`/load-balancers/${loadBalancerId}`} className="text-accent">
            {name}
          </TextLink>
          <span className="min-w-0 max-w-prose break-words">{problem}</span>
        </li>
      ))}
      {troubled.length > mostShown ? (
        <li className="py-1.5 text-muted">and {troubled.length - mostShown} more</li>
      ) : null}
    </ul>
  );
}

function foundOf({ balancersTotal, balancersFound, observedAt }: CloudMetricsStatus): string {
  if (balancersTotal === 0) return "none that a cloud runs and has given a name";
  if (!observedAt) return `${countOf(balancersTotal, "load balancer")} to be looked for`;
  return `${balancersFound} of ${balancersTotal} found in the cloud`;
}

function askedOf({ metricsPerHour }: CloudMetricsStatus): string {
  return metricsPerHour === 0
    ? "nothing yet"
    : `${metricsPerHour.toLocaleString("en")} metrics an hour, which AWS charges for`;
}
