"use client";
import type { Page } from "@fairlead/domain";
import type { ExposureDetail } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { MapSection, useHasMap } from "@/components/address-map/map-section.tsx";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { ComparedCosts } from "@/components/cost/compared-costs.tsx";
import { DetailTabs } from "@/components/detail/detail-tabs.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { Traffic } from "@/components/load-balancer/parts/traffic.tsx";
import { exposureSpec } from "@/components/spec/exposure-spec.ts";
import { SpecDialog } from "@/components/spec/spec-dialog.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { CloneButton } from "./clone-button.tsx";
import { ConditionsTable } from "./conditions-table.tsx";
import { ExposureBackends } from "./exposure-backends.tsx";
import { ExposureHistory } from "./exposure-history.tsx";
import { SpecFacts } from "./spec-facts.tsx";

type Props = { exposure: ExposureDetail; balancers: Page<LoadBalancer> | undefined };

/** The parts of an exposure's page. */
export function ExposureTabs({ exposure, balancers }: Props) {
  const hasMap = useHasMap(exposure);
  return (
    <DetailTabs
      label={exposure.name}
      tabs={[
        {
          id: "traffic",
          label: "Traffic",
          body:
            balancers?.total === 0 ? (
              <p className="text-muted text-sm">No load balancers yet. Conditions, under Events, has the reason.</p>
            ) : balancers ? (
              <ChartEvents subjectId={exposure.id}>
                <Traffic balancers={balancers.items} replicas={exposure.replicas} backends={exposure.backends} />
              </ChartEvents>
            ) : null,
        },
        {
          id: "backends",
          label: "Backends",
          count: exposure.backends.length,
          body: <ExposureBackends exposure={exposure} balancers={balancers} />,
        },
        ...(hasMap ? [{ id: "map", label: "Address map", body: <MapSection exposure={exposure} /> }] : []),
        {
          id: "costs",
          label: "Costs",
          body: <ComparedCosts exposureId={exposure.id} clusterId={exposure.clusterId} />,
        },
        {
          id: "events",
          label: "Events",
          body: (
            <>
              <Section title="Conditions" hint="the status of each condition, with time and reason">
                <ConditionsTable conditions={exposure.conditions} />
              </Section>
              <SubjectEvents subjectId={exposure.id} empty="No events. Changes of this exposure appear here." />
            </>
          ),
        },
        {
          id: "spec",
          label: "Spec",
          body: (
            <>
              <Section
                title="Spec"
                hint={`version ${exposure.generation}`}
                actions={
                  <>
                    <SpecDialog name={exposure.name} path="/exposures" spec={exposureSpec(exposure)} />
                    <CloneButton exposure={exposure} />
                  </>
                }
              >
                <SpecFacts exposure={exposure} />
              </Section>
              <ExposureHistory exposure={exposure} />
            </>
          ),
        },
      ]}
    />
  );
}
