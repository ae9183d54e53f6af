"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { ChartEvents } from "@/components/charts/events/chart-events.tsx";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { DetailTabs } from "@/components/detail/detail-tabs.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { AgentsTable } from "./agents-table.tsx";
import { describesMachine } from "./current-state.ts";
import { FeaturesTable } from "./features-table.tsx";
import { InterfacesTable } from "./interfaces-table.tsx";
import { NodeBalancers } from "./node-balancers.tsx";
import { NodeFactsList } from "./node-facts.tsx";
import { NodeMetrics } from "./node-metrics.tsx";

// Loads the validation rules for settings on demand, because they are as large as the rest of this page.
const NodeSettingsForm = dynamic(() => import("./node-settings-form.tsx").then((module) => module.NodeSettingsForm));

type Props = { node: NodeDetail; isSilent: boolean; silence: string | null };

/** The parts of a node's page. A node whose agents only balance has no metrics of its machine. */
export function NodeTabs({ node, isSilent, silence }: Props) {
  const isMachine = describesMachine(node);
  const { balancers } = node;
  return (
    <DetailTabs
      label={`Parts of ${node.name}`}
      tabs={[
        ...(isMachine
          ? [
              {
                id: "metrics",
                label: "Metrics",
                body: (
                  <Charts nodeId={node.id}>
                    <NodeMetrics node={node} isSilent={isSilent} silence={silence} />
                  </Charts>
                ),
              },
            ]
          : []),
        ...(balancers.length > 0
          ? [
              {
                id: "balancer",
                label: "Balancer",
                count: balancers.reduce((sum, each) => sum + each.replicaCount, 0),
                body: (
                  <Charts nodeId={node.id}>
                    <NodeBalancers node={node} isSilent={isSilent} />
                  </Charts>
                ),
              },
            ]
          : []),
        {
          id: "agents",
          label: "Agents",
          count: node.agents.length,
          body: (
            <>
              <Section title="Agents" hint="the processes that report for this node">
                <AgentsTable agents={node.agents} nodeName={node.name} />
              </Section>
              <Section title="Settings" docs="nodeSettings">
                <div className="max-w-2xl">
                  <NodeSettingsForm node={node} />
                </div>
              </Section>
            </>
          ),
        },
        { id: "machine", label: "Machine", body: <Machine node={node} isMachine={isMachine} /> },
        {
          id: "events",
          label: "Events",
          body: (
            <SubjectEvents
              subjectId={node.id}
              empty="No events. This node's silent and reporting periods appear here."
            />
          ),
        },
      ]}
    />
  );
}

/** Charts that mark the events of the node, and share a cursor. */
function Charts({ nodeId, children }: { nodeId: string; children: ReactNode }) {
  return (
    <ChartEvents subjectId={nodeId}>
      <ChartGroup>{children}</ChartGroup>
    </ChartEvents>
  );
}

function Machine({ node, isMachine }: { node: NodeDetail; isMachine: boolean }) {
  const { facts, settings } = node;
  return (
    <>
      <Section title="Machine">
        <NodeFactsList node={node} isMachine={isMachine} />
      </Section>
      {isMachine ? (
        <>
          <Section title="Interfaces" hint={facts ? `${facts.interfaces.length}` : null}>
            <InterfacesTable facts={facts} excluded={settings.excludedInterfaces} />
          </Section>
          <Section title="Kernel features" hint="tested on this machine, not derived from its version">
            <FeaturesTable facts={facts} />
          </Section>
        </>
      ) : null}
    </>
  );
}
