"use client";
import type { Page } from "@fairlead/domain";
import { type ExposureDetail, makerOf, strategies } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { ExposureConnections } from "@/components/adaptive/exposure-connections.tsx";
import { MapSection } from "@/components/address-map/map-section.tsx";
import { ComparedCosts } from "@/components/cost/compared-costs.tsx";
import { DetailTabs } from "@/components/detail/detail-tabs.tsx";
import type { QueryState } from "@/components/detail/load-error.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { ExposureSessions } from "@/components/tls-session/exposure-sessions.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ConditionsTable } from "./conditions-table.tsx";
import { ExposureBackends } from "./exposure-backends.tsx";
import { ExposureRouting } from "./exposure-routing.tsx";
import { ExposureSpec } from "./exposure-spec.tsx";
import { ExposureTraffic } from "./exposure-traffic.tsx";

type Props = { exposure: ExposureDetail; balancers: QueryState<Page<LoadBalancer>> };

/** The parts of an exposure's page. */
export function ExposureTabs({ exposure, balancers }: Props) {
  const { id, clusterId, strategy, session, adaptive } = exposure;
  const hasMap = strategies[strategy.type].balancers === "per-replica";
  const isAnnounced =
    makerOf(strategy) === "agents" && (strategy.type !== "adaptive" || strategy.outside !== undefined);
  return (
    <DetailTabs
      label={`Parts of ${exposure.name}`}
      tabs={[
        { id: "traffic", label: "Traffic", body: <ExposureTraffic exposure={exposure} balancers={balancers} /> },
        {
          id: "backends",
          label: "Backends",
          count: exposure.backends.length,
          body: <ExposureBackends exposure={exposure} balancers={balancers} />,
        },
        ...(hasMap
          ? [
              {
                id: "map",
                label: "Address map",
                // Each instance has a load balancer.
                body: <MapSection exposure={exposure} expected={balancers.data?.total ?? 0} />,
              },
            ]
          : []),
        ...(session
          ? [{ id: "sessions", label: "Sessions", body: <ExposureSessions exposure={exposure} session={session} /> }]
          : []),
        ...(adaptive
          ? [
              {
                id: "connections",
                label: "Connections",
                body: <ExposureConnections exposure={exposure} adaptive={adaptive} />,
              },
            ]
          : []),
        ...(isAnnounced ? [{ id: "routing", label: "Routing", body: <ExposureRouting exposure={exposure} /> }] : []),
        { id: "costs", label: "Costs", body: <ComparedCosts exposureId={id} clusterId={clusterId} /> },
        {
          id: "events",
          label: "Events",
          body: (
            <>
              <Section title="Conditions" hint="the status of each condition, with time and reason">
                <ConditionsTable conditions={exposure.conditions} />
              </Section>
              <SubjectEvents subjectId={id} empty="No events. Changes of this exposure appear here." />
            </>
          ),
        },
        { id: "spec", label: "Spec", body: <ExposureSpec exposure={exposure} /> },
      ]}
    />
  );
}
