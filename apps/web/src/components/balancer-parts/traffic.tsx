"use client";
import type { Backend, LoadBalancer, Replica } from "@fairlead/domain";
import { useMemo } from "react";
import { BackendCharts, useBackendSeries } from "@/components/charts/backend-charts.tsx";
import { BalancerCharts } from "@/components/charts/balancer-charts.tsx";
import type { NameOf } from "@/components/charts/balancer-lines.ts";
import { ChartGroup } from "@/components/charts/cursor.tsx";
import { DropsChart, useDrops } from "@/components/charts/drops-chart.tsx";
import { mostSubjects, useBalancerSeries } from "@/components/charts/use-balancer-series.ts";
import { Section } from "@/components/ui/section.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
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

/** What goes through balancers: of one of them by replica, of several by balancer. */
export function Traffic({ balancers, replicas, backends }: TrafficProps) {
  const ids = balancers.slice(0, mostSubjects).map((each) => each.id);
  const state = useBalancerSeries(ids);
  const dropped = useDrops(ids);
  const behind = troubledFirst(backends).slice(0, mostSubjects);
  const toBackends = useBackendSeries(behind.map((each) => each.id).sort());
  const instances = JSON.stringify(behind.map(({ id, instance, address }) => ({ id, name: instance || address })));
  const backendOf = useMemo((): NameOf => nameBySubject(instances), [instances]);
  const carrying = replicas.filter((each) => each.agentId !== null);
  const isCarried = carrying.length > 0;
  const isSilent = useSilent(carrying);
  const isCloud = balancers.every((each) => each.kind === "cloud");
  const isSingle = balancers.length === 1;
  // What a cloud runs speaks as one.
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
    <Section title="Measured" hint={isEmpty ? null : hintOf(balancers.length, isSilent)}>
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
          >
            {/* Not every engine knows whose a packet was, and none speaks of what lost nothing. */}
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
  return backends > mostSubjects ? `of ${mostSubjects} of ${backends} backends, those in trouble first` : "";
}

function hintOf(balancers: number, isSilent: boolean): string | null {
  if (isSilent) return "The replicas are silent; this is what they said before.";
  return balancers > mostSubjects ? `the first ${mostSubjects} of ${balancers} load balancers` : null;
}
