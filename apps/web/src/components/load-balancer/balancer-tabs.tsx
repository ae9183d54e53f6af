"use client";
import type { LoadBalancerDetail } from "@fairlead/domain/load-balancer";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { type DetailTab, DetailTabs } from "@/components/detail/detail-tabs.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { AddressRouting } from "@/components/routing/address-routing.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { BalancerFacts } from "./balancer-facts.tsx";
import { BackendsTable } from "./parts/backends-table.tsx";
import { observeIntervalMs } from "./parts/observe-interval-ms.ts";
import { ReplicasTable } from "./parts/replicas-table.tsx";
import { Traffic } from "./parts/traffic.tsx";

/** The parts of a load balancer's page. Only our own load balancers have replicas and routes. */
export function BalancerTabs({ balancer }: { balancer: LoadBalancerDetail }) {
  const isOurs = balancer.kind === "fairlead";
  const traffic: DetailTab = { id: "traffic", label: "Traffic", body: <BalancerTraffic balancer={balancer} /> };
  const backends: DetailTab = {
    id: "backends",
    label: "Backends",
    count: balancer.backends.length,
    body: (
      <Section title="Backends" hint="state is set by the balancer, health by the health check">
        <BackendsTable backends={balancer.backends} observeIntervalMs={observeIntervalMs(balancer.replicas)} />
      </Section>
    ),
  };
  // With the strategy adaptive, the address is announced only if there are balancers for clients outside.
  const isAnnounced = balancer.strategy !== "adaptive" || balancer.replicas.some((each) => each.role === "balancer");
  const routing = isAnnounced ? [routingTab(balancer)] : [];
  return (
    <DetailTabs
      label={`Parts of ${balancer.name}`}
      tabs={[
        ...(isOurs ? [replicasTab(balancer), backends, ...routing, traffic] : [traffic, backends]),
        {
          id: "events",
          label: "Events",
          body: <SubjectEvents subjectId={balancer.id} empty="No events. Changes of backends appear here." />,
        },
        {
          id: "facts",
          label: "Facts",
          body: (
            <Section title="Facts">
              <BalancerFacts balancer={balancer} />
            </Section>
          ),
        },
      ]}
    />
  );
}

function BalancerTraffic({ balancer }: { balancer: LoadBalancerDetail }) {
  return (
    <ChartEvents subjectId={balancer.id} exposureId={balancer.exposureId}>
      <Traffic balancers={[balancer]} replicas={balancer.replicas} backends={balancer.backends} />
    </ChartEvents>
  );
}

function replicasTab({ replicas }: LoadBalancerDetail): DetailTab {
  return {
    id: "replicas",
    label: "Replicas",
    count: replicas.length,
    body: (
      <Section title="Replicas" hint="copies of the load balancer, each on its own node">
        <ReplicasTable replicas={replicas} />
      </Section>
    ),
  };
}

function routingTab({ clusterId, address }: LoadBalancerDetail): DetailTab {
  return {
    id: "routing",
    label: "Routing",
    body: <AddressRouting clusterId={clusterId} addresses={address ? [address] : []} />,
  };
}
