"use client";
import type { AdaptiveDetail, ExposureDetail } from "@fairlead/domain/exposure";
import { useQuery } from "@tanstack/react-query";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { docsHref } from "@/components/docs/docs-topics.ts";
import { useMay } from "@/components/frame/session.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { ConnectionCharts } from "./connection-charts.tsx";
import { ConnectionRoutes } from "./connection-routes.tsx";
import { DecisionsTable } from "./decisions-table.tsx";
import { joinNodes, type ReportedNode } from "./join-nodes.ts";
import { NodesTable } from "./nodes-table.tsx";
import { RapSection } from "./rap-section.tsx";
import { WhatIfSection } from "./what-if/what-if-section.tsx";

type Props = { exposure: ExposureDetail; adaptive: AdaptiveDetail };

/** How the nodes of an exposure with the strategy adaptive distribute connections: now, and over time. */
export function ExposureConnections({ exposure, adaptive }: Props) {
  const nodes = joinNodes(exposure);
  const { routes, decisions } = adaptive;
  return (
    <>
      <Section title="State" docs="adaptiveTab">
        <div className="flex flex-col gap-3">
          <Facts rows={[["Connections", <LongText key="connections" text={adaptive.message} />]]} />
          <MissingAgent clusterId={exposure.clusterId} nodes={nodes} />
        </div>
      </Section>
      <Section title="Routes" hint={routes.length > 0 ? "share of connections between the last two reports" : null}>
        <ConnectionRoutes routes={routes} nodes={nodes} />
      </Section>
      <Section title="Nodes" hint="connections start here">
        <NodesTable nodes={nodes} />
      </Section>
      <Section
        title="Decisions"
        hint={decisions.length > 0 ? `the last ${decisions.length} sampled connections` : null}
      >
        <DecisionsTable decisions={decisions} />
      </Section>
      {adaptive.rap ? <RapSection rap={adaptive.rap} /> : null}
      <ChartEvents subjectId={exposure.id}>
        <ConnectionCharts exposure={exposure} nodes={nodes} />
      </ChartEvents>
      <WhatIfSection exposureId={exposure.id} adaptive={adaptive} />
    </>
  );
}

/** Leads to the command for an agent, while any node needs one. The agents of a lab are in its topology. */
function MissingAgent({ clusterId, nodes }: { clusterId: string; nodes: readonly ReportedNode[] }) {
  const mayWrite = useMay("node:write");
  const { data: cluster } = useQuery(useTRPC().cluster.get.queryOptions({ id: clusterId }));
  const isComplete = nodes.length > 0 && nodes.every((each) => each.replicaId !== null);
  if (!mayWrite || isComplete || !cluster) return null;
  const isLab = cluster.kind === "lab";
  return (
    <TextLink
      href={isLab ? docsHref("labTopologies") : `/nodes?add=true&cluster=${clusterId}&role=adaptive`}
      className="self-start text-accent text-sm underline"
    >
      {isLab ? "Read how nodes of a lab get an agent" : "Create the command that installs an agent"}
    </TextLink>
  );
}
