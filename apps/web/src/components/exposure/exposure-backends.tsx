import type { Page } from "@fairlead/domain";
import { type ExposureDetail, strategies } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import type { QueryState } from "@/components/detail/load-error.tsx";
import { BackendsTable } from "@/components/load-balancer/parts/backends-table.tsx";
import { observeIntervalMs } from "@/components/load-balancer/parts/observe-interval-ms.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { BalancersTable } from "./balancers-table.tsx";

type Props = { exposure: ExposureDetail; balancers: QueryState<Page<LoadBalancer>> };

/** The load balancers of an exposure, and the backends of all of them. The replicas are on the page of each. */
export function ExposureBackends({ exposure, balancers }: Props) {
  const names = new Map((balancers.data?.items ?? []).map((each) => [each.id, each.name]));
  return (
    <>
      <Section title="Load balancers" hint={balancers.data?.total}>
        <BalancersTable
          query={balancers}
          isPerInstance={strategies[exposure.strategy.type].balancers === "per-replica"}
        />
      </Section>
      <Section title="Backends" hint="state is set by the balancer, health by the health check">
        <BackendsTable
          backends={exposure.backends}
          names={names}
          observeIntervalMs={observeIntervalMs(exposure.replicas)}
        />
      </Section>
    </>
  );
}
