import type { Page } from "@fairlead/domain";
import type { ExposureDetail } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { LoadError, type QueryState } from "@/components/detail/load-error.tsx";
import { Traffic } from "@/components/load-balancer/parts/traffic.tsx";
import { ExposureFlow } from "@/components/traffic-flow/exposure-flow.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";

type Props = { exposure: ExposureDetail; balancers: QueryState<Page<LoadBalancer>> };

/** The traffic of an exposure, by load balancer. */
export function ExposureTraffic({ exposure, balancers }: Props) {
  const { data, error } = balancers;
  if (!data) return error ? <LoadError label="Load balancers" query={balancers} /> : <Skeleton className="h-64" />;
  if (data.total === 0)
    return (
      <p className="text-muted text-sm">
        No load balancers yet.{" "}
        <TextLink href={`/exposures/${exposure.id}?tab=events`} className="text-accent underline">
          View conditions
        </TextLink>
      </p>
    );
  return (
    <div className="flex flex-col gap-8">
      <ExposureFlow exposure={exposure} />
      <ChartEvents subjectId={exposure.id}>
        <Traffic balancers={data.items} replicas={exposure.replicas} backends={exposure.backends} />
      </ChartEvents>
    </div>
  );
}
