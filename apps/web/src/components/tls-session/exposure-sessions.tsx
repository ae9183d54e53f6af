"use client";
import type { ExposureDetail, SessionDetail } from "@fairlead/domain/exposure";
import { useMemo } from "react";
import type { NameOf } from "@/components/charts/balancer/balancer-lines.ts";
import { maxSubjects } from "@/components/charts/data/use-balancer-series.ts";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { isSummed, SessionCharts, useSessionSeries } from "@/components/charts/session/session-charts.tsx";
import { nameByReplica, nameBySubject } from "@/components/load-balancer/parts/names.ts";
import { observeIntervalMs } from "@/components/load-balancer/parts/observe-interval-ms.ts";
import { useSilent } from "@/components/load-balancer/parts/use-silent.ts";
import { Facts } from "@/components/table/facts.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { joinBackends, joinReplicas, type PlacingReplica, type TakingBackend } from "./join-backends.ts";
import { MissingAgents } from "./missing-agents.tsx";
import { SessionBackends } from "./session-backends.tsx";
import { SessionReplicas } from "./session-replicas.tsx";
import { TicketRotation } from "./ticket-rotation.tsx";

type Props = { exposure: ExposureDetail; session: SessionDetail };

/** How an exposure places connections by TLS session: now, and over time. */
export function ExposureSessions({ exposure, session }: Props) {
  const replicas = joinReplicas(exposure);
  const backends = joinBackends(exposure);
  return (
    <>
      <Section title="State" docs="tlsSessions">
        <div className="flex flex-col gap-4">
          <Facts
            rows={[
              ["Connections", <LongText key="connections" text={session.message} />],
              ["Cookie key", <CookieKey key="key" of={session} />],
            ]}
          />
          <MissingAgents clusterId={exposure.clusterId} backends={backends} />
        </div>
      </Section>
      {session.ticketRotation ? <TicketRotation exposure={exposure} rotation={session.ticketRotation} /> : null}
      <Section title="Replicas" hint="place connections">
        <SessionReplicas replicas={replicas} />
      </Section>
      <Section title="Backends" hint="accept connections">
        <SessionBackends backends={backends} observeIntervalMs={observeIntervalMs(exposure.replicas)} />
      </Section>
      <ChartEvents subjectId={exposure.id}>
        <Measured exposure={exposure} replicas={replicas} backends={backends} />
      </ChartEvents>
    </>
  );
}

function CookieKey({ of: { key } }: { of: SessionDetail }) {
  if (!key) return "not created yet: the control plane does it within a minute";
  return (
    <>
      epoch {key.epoch}, created <Age at={key.createdAt} />
    </>
  );
}

type MeasuredProps = { exposure: ExposureDetail; replicas: PlacingReplica[]; backends: TakingBackend[] };

function Measured({ exposure, replicas, backends }: MeasuredProps) {
  const balancerIds = [...new Set(replicas.map((each) => each.loadBalancerId))].slice(0, maxSubjects);
  const counted = backends.slice(0, maxSubjects);
  const count = exposure.replicas.length;
  const series = useSessionSeries(balancerIds, counted.map((each) => each.backendId).sort(), count);
  const nodes = JSON.stringify(exposure.replicas.map((each) => [each.agentId, each.nodeName]));
  const replicaOf = useMemo((): NameOf => nameByReplica(nodes), [nodes]);
  const instances = JSON.stringify(counted.map(({ backendId, instance }) => ({ id: backendId, name: instance })));
  const backendOf = useMemo((): NameOf => nameBySubject(instances), [instances]);
  const carrying = exposure.replicas.filter((each) => each.agentId !== null);
  const isSilent = useSilent(carrying);
  const { answer } = series.replicas ?? {};
  const isEmpty = answer ? answer.series.length === 0 : carrying.length === 0;
  return (
    <Section title="Measured" docs="sessionCharts" hint={hintOf(isSilent, backends.length)}>
      {isEmpty ? (
        answer || balancerIds.length === 0 ? (
          <p className="text-muted text-sm">{describeEmpty(replicas)}</p>
        ) : (
          <Skeleton className="my-1 w-80" />
        )
      ) : (
        <ChartGroup>
          <SessionCharts
            series={series}
            replicaOf={replicaOf}
            backendOf={backendOf}
            parts={{ replicas: isSummed(count) ? 1 : count, backends: counted.length }}
            isSilent={isSilent}
          />
        </ChartGroup>
      )}
    </Section>
  );
}

function hintOf(isSilent: boolean, backends: number): string | null {
  if (isSilent) return "The replicas are silent. These are their last reports.";
  return backends > maxSubjects ? `${maxSubjects} of ${backends} backends, those without connections first` : null;
}

function describeEmpty(replicas: readonly PlacingReplica[]): string {
  if (replicas.some((each) => each.bySession)) return "No samples in this range. The replicas report them.";
  return "No samples in this range: no replica places connections by TLS session. The tables above have the reasons.";
}
