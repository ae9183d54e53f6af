"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import dynamic from "next/dynamic";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { LossChart, NetworkChart, PacketsChart } from "@/components/charts/node/interface-charts.tsx";
import { CpuChart, LoadChart, MemoryChart, TrackedConnectionsChart } from "@/components/charts/node/node-charts.tsx";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { StatusBadge, StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useNow, useNowOf } from "@/components/ui/time/now.ts";
import { useLive } from "@/live/live-provider.tsx";
import { AgentsTable } from "./agents-table.tsx";
import { currentState, describesMachine, isSilentState, whySilent } from "./current-state.ts";
import { describeDrain } from "./describe-drain.ts";
import { FeaturesTable } from "./features-table.tsx";
import { InterfacesTable } from "./interfaces-table.tsx";
import { NodeActions } from "./node-actions.tsx";
import { NodeBalancers } from "./node-balancers.tsx";
import { NodeFactsList } from "./node-facts.tsx";
import { NodeFigures, NodeFiguresSkeleton } from "./node-figures.tsx";
import { AgentWarnings, OutOfSync } from "./out-of-sync.tsx";
import { useNode } from "./use-node.ts";

// Loads the validation rules for settings on demand, because they are as large as the rest of this page.
const NodeSettingsForm = dynamic(() => import("./node-settings-form.tsx").then((module) => module.NodeSettingsForm));

/** One node: its state, its metrics, its machine and its agents. */
export function NodePage({ id }: { id: string }) {
  const query = useNode(id);
  if (query.error && !query.data)
    return (
      <ObjectError
        error={query.error}
        noun="node"
        listHref="/nodes"
        listLabel="See all nodes"
        onRetry={() => void query.refetch()}
      />
    );
  const node = query.data;
  if (!node)
    return (
      <>
        <PageHeader title={<Skeleton className="h-6 w-48" />} sentence={<Skeleton className="w-72" />} />
        <NodeFiguresSkeleton />
      </>
    );
  return <NodeDetails node={node} />;
}

/** While live updates are paused, the page keeps the state as of then, so nodes don't turn silent. */
function NodeHead({ node }: { node: NodeDetail }) {
  const { paused } = useLive();
  const now = useNow();
  const { state, message } = currentState(node, paused ? 0 : now);
  return (
    <PageHeader
      before={
        <Crumbs
          trail={[
            { label: "Nodes", href: "/nodes" },
            { label: node.clusterName, href: `/clusters/${node.clusterId}` },
          ]}
        />
      }
      title={
        <span className="flex flex-wrap items-center gap-x-3">
          {node.name}
          <StatusBadge status={state} className="font-normal text-sm tracking-normal" />
          {node.drainingSince ? (
            <StatusBadge status="draining" className="font-normal text-sm tracking-normal" />
          ) : null}
        </span>
      }
      sentence={<LongText text={message} />}
      actions={<NodeActions node={node} />}
    />
  );
}

function NodeDetails({ node }: { node: NodeDetail }) {
  const { id } = node;
  const { paused } = useLive();
  const state = useNowOf((now) => currentState(node, paused ? 0 : now).state);
  const isSilent = isSilentState(state);
  const isMachine = describesMachine(node);
  const hasBalancers = node.balancers.length > 0;
  return (
    <>
      <NodeHead node={node} />
      {isMachine ? <NodeFigures node={node} isSilent={isSilent} /> : null}
      <div className="flex flex-col gap-8 px-4 py-6 md:px-6">
        <Drain node={node} />
        <OutOfSync node={node} />
        <AgentWarnings node={node} />
        {isMachine || hasBalancers ? (
          <ChartEvents subjectId={id}>
            <ChartGroup>
              <div className="flex flex-col gap-8">
                {isMachine ? <Measured node={node} isSilent={isSilent} silence={whySilent(node, state)} /> : null}
                {hasBalancers ? <NodeBalancers node={node} isSilent={isSilent} /> : null}
              </div>
            </ChartGroup>
          </ChartEvents>
        ) : null}
        <Section title="Agents" hint="the processes that report for this node">
          <AgentsTable agents={node.agents} nodeName={node.name} />
        </Section>
        <div className="grid gap-8 lg:grid-cols-2">
          <Section title="Machine">
            <NodeFactsList node={node} isMachine={isMachine} />
          </Section>
          <Section title="Settings">
            <NodeSettingsForm node={node} />
          </Section>
        </div>
        {isMachine ? (
          <>
            <Section title="Interfaces" hint={node.facts ? `${node.facts.interfaces.length}` : null}>
              <InterfacesTable facts={node.facts} excluded={node.settings.excludedInterfaces} />
            </Section>
            <Section title="Kernel features" hint="tested on this machine, not derived from its version">
              <FeaturesTable facts={node.facts} />
            </Section>
          </>
        ) : null}
        <SubjectEvents subjectId={id} empty="No events. This node's silent and reporting periods appear here." />
      </div>
    </>
  );
}

function Drain({ node }: { node: NodeDetail }) {
  const drain = describeDrain(node);
  if (!drain || !node.drainingSince) return null;
  return (
    <p className="flex items-baseline gap-2 text-sm">
      <StatusGlyph shape="arrow" className="translate-y-0.5 text-warn" />
      <span>
        {drain.sentence} Desired state <Age at={node.drainingSince} />.
      </span>
    </p>
  );
}

function Measured({ node, isSilent, silence }: { node: NodeDetail; isSilent: boolean; silence: string | null }) {
  const of = { nodeId: node.id, isSilent };
  return (
    <Section
      title="Measured"
      hint={
        silence ? (
          <span className="inline-flex items-center gap-1.5 text-silent">
            <StatusGlyph shape="dash" />
            {silence}
          </span>
        ) : null
      }
    >
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <CpuChart {...of} />
        <NetworkChart {...of} />
        <MemoryChart {...of} />
        <PacketsChart {...of} />
        <LoadChart {...of} cpuCount={node.cpuCount} />
        <LossChart {...of} />
        <TrackedConnectionsChart {...of} />
      </div>
    </Section>
  );
}
