import type { Page } from "@fairlead/domain";
import { type ExposureDetail, strategies } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { BackendsTable } from "@/components/load-balancer/parts/backends-table.tsx";
import { observeIntervalMs } from "@/components/load-balancer/parts/observe-interval-ms.ts";
import { ReplicasTable } from "@/components/load-balancer/parts/replicas-table.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { BalancersTable } from "./balancers-table.tsx";

type Props = { exposure: ExposureDetail; balancers: Page<LoadBalancer> | undefined };

/** What carries the traffic of an exposure: its load balancers, their replicas and backends. */
export function ExposureBackends({ exposure, balancers }: Props) {
  const facts = strategies[exposure.strategy.type];
  const names = new Map((balancers?.items ?? []).map((each) => [each.id, each.name]));
  return (
    <>
      <Section title="Load balancers" hint={balancers?.total}>
        <BalancersTable
          balancers={balancers?.items}
          total={balancers?.total ?? 0}
          isPerInstance={facts.balancers === "per-replica"}
        />
      </Section>
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
    </>
  );
}
