"use client";
import { type CloudMetrics, type CloudMetricsStatus, cloudMetricsReadEveryMs } from "@fairlead/domain/cloud";
import type { Cluster } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesCombined } from "lucide-react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Facts } from "@/components/table/facts.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { cloudMetricsLooks } from "@/components/words/cloud-metrics.ts";
import { count, countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ClusterSetting, Unset } from "../cluster-setting.tsx";
import { CloudMetricsForm } from "./cloud-metrics-form.tsx";

/** Where the metrics of the cluster's cloud load balancers come from, and how complete they are. */
export function ClusterCloudMetrics({ cluster }: { cluster: Cluster }) {
  const { cloudMetrics } = cluster;
  return (
    <ClusterSetting
      id="cloud-metrics"
      title="Cloud metrics"
      link={cloudMetrics ? { href: `/load-balancers?cluster=${cluster.id}`, label: "View its load balancers" } : null}
      action={{ icon: ChartNoAxesCombined, label: cloudMetrics ? "Change" : "Set up" }}
      dialog={{
        title: `Cloud metrics of ${cluster.name}`,
        description: "The AWS access key for reading the metrics of cloud load balancers.",
      }}
      form={(onDone) => <CloudMetricsForm cluster={cluster} onDone={onDone} />}
    >
      {cloudMetrics ? (
        <ConfiguredMetrics clusterId={cluster.id} settings={cloudMetrics} />
      ) : (
        <Unset>
          Not set. Cloud load balancers of this cluster have no charts, and their traffic is not metered. Add a
          read-only access key to fetch their traffic and connections from AWS every minute.
        </Unset>
      )}
    </ClusterSetting>
  );
}

function ConfiguredMetrics({ clusterId, settings }: { clusterId: string; settings: CloudMetrics }) {
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
          what="Could not load the status of the cloud metrics"
          message={problemOf(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <ReadState status={status} />
      )}
      <Facts
        rows={[
          ["Cloud", `AWS, ${region}`],
          ["Load balancers", status ? foundOf(status) : <Skeleton key="found" className="w-40" />],
          ["Requests", status ? requestsOf(status) : <Skeleton key="requests" className="w-40" />],
          ["CloudWatch", monitoringEndpoint ? <Mono key="monitoring">{monitoringEndpoint}</Mono> : null],
          ["Balancing", balancingEndpoint ? <Mono key="balancing">{balancingEndpoint}</Mono> : null],
        ]}
      />
      {status ? <Troubled status={status} /> : null}
    </div>
  );
}

export function ReadState({ status }: { status: CloudMetricsStatus | undefined }) {
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
            requested <Age at={observedAt} />
          </span>
        ) : null}
        {observedAt ? null : <span className="text-muted">The controller connects now. This takes a moment.</span>}
      </span>
      {message ? (
        <span className="max-w-prose">
          <LongText text={message} />
        </span>
      ) : null}
    </div>
  );
}

const maxShown = 5;

/** The load balancers that are not read, or only in part, with the reason. */
export function Troubled({ status }: { status: CloudMetricsStatus }) {
  const troubled = status.balancers.filter((each) => each.problem !== "");
  if (troubled.length < 2) return null;
  return (
    <ul aria-label="Load balancers that aren't read" className="flex flex-col divide-y text-sm">
      {troubled.slice(0, maxShown).map(({ loadBalancerId, name, problem }) => (
        <li key={loadBalancerId} className="flex flex-wrap gap-x-3 gap-y-0.5 py-1.5">
          <TextLink href={`/load-balancers/${loadBalancerId}`} className="text-accent">
            {name}
          </TextLink>
          <span className="min-w-0 max-w-prose">
            <LongText text={problem} />
          </span>
        </li>
      ))}
      {troubled.length > maxShown ? <li className="py-1.5 text-muted">and {troubled.length - maxShown} more</li> : null}
    </ul>
  );
}

function foundOf({ balancersTotal, balancersFound, observedAt }: CloudMetricsStatus): string {
  if (balancersTotal === 0) return "none with a cloud address or name yet";
  if (!observedAt) return `looking for ${countOf(balancersTotal, "load balancer")}`;
  return `${balancersFound} of ${balancersTotal} found in the cloud`;
}

function requestsOf({ metricsPerHour }: CloudMetricsStatus): string {
  return metricsPerHour === 0 ? "none yet" : `${count(metricsPerHour)} metrics per hour, charged by AWS`;
}
