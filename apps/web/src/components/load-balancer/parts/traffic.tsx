"use client";
import type { Backend, LoadBalancer, Replica } from "@fairlead/domain/load-balancer";
import { useMemo } from "react";
import { BackendCharts, useBackendSeries } from "@/components/charts/balancer/backend-charts.tsx";
import { BalancerCharts } from "@/components/charts/balancer/balancer-charts.tsx";
import type { NameOf } from "@/components/charts/balancer/balancer-lines.ts";
import { describeProbes } from "@/components/charts/balancer/describe-probes.ts";
import { maxSubjects, useBalancerSeries } from "@/components/charts/data/use-balancer-series.ts";
import { DropsChart, useDrops } from "@/components/charts/node/drops-chart.tsx";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Absence } from "./absence.tsx";
import type { OfBalancer } from "./balancer-column.tsx";
import { nameByReplica, nameBySubject } from "./names.ts";
import { troubledFirst } from "./troubled-first.ts";
import { useSilent } from "./use-silent.ts";

export type TrafficProps = {
  balancers: readonly Pick<LoadBalancer, "id" | "name" | "kind" | "clusterId">[];
  replicas: readonly (Replica & OfBalancer)[];
  backends: readonly Backend[];
};

/** The traffic of balancers: of one by replica, of several by balancer. */
export function Traffic({ balancers, replicas, backends }: TrafficProps) {
  const ids = balancers.slice(0, maxSubjects).map((each) => each.id);
  const state = useBalancerSeries(ids);
  const dropped = useDrops(ids);
  const behind = troubledFirst(backends).slice(0, maxSubjects);
  const toBackends = useBackendSeries(behind.map((each) => each.id).sort());
  const instances = JSON.stringify(behind.map(({ id, instance, address }) => ({ id, name: instance || address })));
  const backendOf = useMemo((): NameOf => nameBySubject(instances), [instances]);
  const carrying = replicas.filter((each) => each.agentId !== null);
  const isCarried = carrying.length > 0;
  const isSilent = useSilent(carrying);
  const isCloud = balancers.every((each) => each.kind === "cloud");
  const isSingle = balancers.length === 1;
  // A cloud load balancer is a single source.
  const isByReplica = isSingle && !isCloud;
  const names = JSON.stringify(
    isByReplica ? replicas.map((each) => [each.agentId, each.nodeName]) : balancers.map(nameAlone),
  );
  const nameOf = useMemo(
    (): NameOf => (isByReplica ? nameByReplica(names) : nameBySubject(names)),
    [isByReplica, names],
  );
  const { answer } = state ?? {};
  const isEmpty = answer ? answer.series.length === 0 : !isCarried;
  return (
    <Section title="Measured" docs="balancerCharts" hint={isEmpty ? null : hintOf(balancers.length, isSilent)}>
      {isEmpty ? (
        answer ? (
          <Absence isCarried={isCarried} cloudOf={isCloud ? (balancers[0]?.clusterId ?? null) : null} />
        ) : (
          <Skeleton className="my-1 w-80" />
        )
      ) : (
        <ChartGroup>
          <BalancerCharts
            state={state}
            nameOf={nameOf}
            whole={isSingle ? "all replicas" : "all load balancers"}
            parts={isSingle ? replicas.length : balancers.length}
            isSilent={isSilent}
            probes={describeProbes(replicas)}
          >
            {/* Not every engine can attribute drops to a load balancer, and none reports one without drops. */}
            {dropped?.answer?.series.length ? <DropsChart state={dropped} isSilent={isSilent} /> : null}
            <BackendCharts
              series={toBackends}
              nameOf={backendOf}
              of={ofBackends(backends.length)}
              isSilent={isSilent}
            />
          </BalancerCharts>
        </ChartGroup>
      )}
    </Section>
  );
}

function nameAlone({ id, name }: { id: string; name: string }): { id: string; name: string } {
  return { id, name };
}

function ofBackends(backends: number): string {
  return backends > maxSubjects ? `${maxSubjects} of ${backends} backends, those with problems first` : "";
}

function hintOf(balancers: number, isSilent: boolean): string | null {
  if (isSilent) return "The replicas are silent. These are their last reports.";
  return balancers > maxSubjects ? `the first ${maxSubjects} of ${balancers} load balancers` : null;
}
