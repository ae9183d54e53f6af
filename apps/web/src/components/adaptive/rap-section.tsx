"use client";
import type { MeasuredResources, RapBaseline, RapNodeSeen } from "@fairlead/domain/exposure";
import { useState } from "react";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { count, decimals, percent } from "@/components/words/numbers.ts";

const firstShown = 15;
/** As often as metrics-server reads kubelets by default, and the control plane reads it. */
const measuredEveryMs = 25_000;

/** What metrics-server measures next to what agents measure, and what the baseline RAP would do by it. */
export function RapSection({ rap }: { rap: RapBaseline }) {
  const [all, setAll] = useState(false);
  const { nodes, problem, thresholdPercent } = rap;
  const isMeasured = nodes.some((each) => each.node !== null || each.instances !== null);
  return (
    <Section title="Metrics server" hint="for comparison">
      <div className="flex flex-col gap-3">
        {problem === "" ? null : (
          <p className="text-sm text-warn">
            <LongText text={problem} />
          </p>
        )}
        {isMeasured ? (
          <>
            <RowsTable<RapNodeSeen>
              label="Metrics server"
              rows={all ? nodes : nodes.slice(0, firstShown)}
              stacks
              rowKey={(node) => node.nodeId}
              empty="No nodes yet."
              columns={[
                { label: "Node", cell: ({ nodeName }) => <span className="font-medium">{nodeName}</span> },
                { label: "Instances", align: "end", cell: ({ instanceCount }) => count(instanceCount) },
                { label: "Instances' CPU", align: "end", cell: ({ instances }) => <Cpu of={instances} /> },
                { label: "The same by the agent", align: "end", cell: (node) => <ByAgent of={node} /> },
                { label: "Instances' memory", align: "end", cell: ({ instances }) => <Memory of={instances} /> },
                { label: "Node's CPU", align: "end", cell: ({ node }) => <Cpu of={node} /> },
                { label: "Node's memory", align: "end", cell: ({ node }) => <Memory of={node} /> },
                { label: "Measured", align: "end", cell: (node) => <Measured of={node} /> },
                { label: "RAP would send to", wraps: true, cell: (node) => <Decision of={node} /> },
              ]}
            />
            <ShowMore total={nodes.length} first={firstShown} all={all} onChange={setAll} />
            <p className="text-muted text-xs">
              RAP is a published strategy for comparison, and decides nothing here. It keeps requests on their node
              until CPU or memory of its instances reach {percent(thresholdPercent / 100)} of what they may use. Then
              all requests go to the other node with the most free CPU, free memory and nearness, with equal weights.
            </p>
          </>
        ) : null}
      </div>
    </Section>
  );
}

function Cpu({ of }: { of: MeasuredResources | null }) {
  if (!of) return <None />;
  const { cpuCores, cpuCapacityCores } = of;
  return <Part text={`${decimals(cpuCores, 2)} of ${cores(cpuCapacityCores)}`} used={cpuCores} of={cpuCapacityCores} />;
}

function Memory({ of }: { of: MeasuredResources | null }) {
  if (!of) return <None />;
  const { memoryBytes, memoryCapacityBytes } = of;
  const capacity = memoryCapacityBytes === null ? "unknown" : formatQuantity(memoryCapacityBytes, "bytes");
  return (
    <Part text={`${formatQuantity(memoryBytes, "bytes")} of ${capacity}`} used={memoryBytes} of={memoryCapacityBytes} />
  );
}

function Part({ text, used, of }: { text: string; used: number; of: number | null }) {
  return (
    <span className="whitespace-nowrap">
      {text}
      {of ? <span className="block text-muted text-xs">{formatQuantity(used / of, "ratio")}</span> : null}
    </span>
  );
}

function ByAgent({ of: { measuredCores } }: { of: RapNodeSeen }) {
  return measuredCores === null ? (
    <None />
  ) : (
    <span className="whitespace-nowrap">{decimals(measuredCores, 2)} cores</span>
  );
}

/** The age of the figures, and over which time CPU was measured. */
function Measured({ of: { instances, node } }: { of: RapNodeSeen }) {
  const measured = instances ?? node;
  if (!measured) return <None />;
  return (
    <span className="whitespace-nowrap">
      <Age at={measured.measuredAt} expectedEveryMs={measuredEveryMs} />
      <span className="block text-muted text-xs">over {formatQuantity(measured.windowMs, "ms")}</span>
    </span>
  );
}

function Decision({ of }: { of: RapNodeSeen }) {
  const { nodeId, isOverloaded, sendsToNodeId, sendsToNodeName, undecided } = of;
  if (isOverloaded === null) return <LongText text={undecided} />;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {sendsToNodeId === nodeId ? "this node" : sendsToNodeName}
      {isOverloaded ? <Badge tone="warn">{reasonOf(of)}</Badge> : null}
    </span>
  );
}

function reasonOf({ instanceCount }: RapNodeSeen): string {
  return instanceCount === 0 ? "no instances" : "overloaded";
}

function cores(of: number | null): string {
  return of === null ? "unknown" : `${decimals(of, 2)} ${of === 1 ? "core" : "cores"}`;
}

function None() {
  return <span className="text-muted">–</span>;
}
