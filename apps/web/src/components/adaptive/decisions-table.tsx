"use client";
import type { AdaptiveDecision } from "@fairlead/domain/exposure";
import { useState } from "react";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { decimals } from "@/components/words/numbers.ts";
import { type Candidate, compareCandidates } from "./compare-candidates.ts";

const firstShown = 10;

/** Why sampled connections went where they did. */
export function DecisionsTable({ decisions }: { decisions: AdaptiveDecision[] }) {
  const [all, setAll] = useState(false);
  return (
    <>
      <RowsTable<AdaptiveDecision>
        label="Decisions"
        rows={all ? decisions : decisions.slice(0, firstShown)}
        stacks
        rowKey={({ at, backendId, fromNodeId }) => `${at.getTime()} ${fromNodeId} ${backendId}`}
        empty="No decisions yet. Agents sample a few of the connections that start on their nodes."
        columns={[
          {
            label: "From → to",
            cell: ({ fromNodeId, fromNodeName, toNodeId, toNodeName }) => (
              <span className="inline-flex flex-wrap items-center gap-x-2 font-medium">
                <span>
                  {fromNodeName} → {toNodeName}
                </span>
                {fromNodeId === toNodeId ? <Badge tone="accent">local</Badge> : null}
              </span>
            ),
          },
          { label: "Time", cell: ({ at }) => <Age at={at} /> },
          {
            label: "Chosen by",
            cell: ({ byWeight }) => (byWeight ? <Badge tone="warn">by weight</Badge> : "cost"),
          },
          {
            label: "Compared costs",
            wraps: true,
            cell: (decision) => <Candidates of={compareCandidates(decision)} />,
          },
        ]}
      />
      <ShowMore total={decisions.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}

/** The estimate is a fraction where answers are on their way. */
function describeRequests(beside: number): string {
  const text = decimals(beside, 1);
  return `${text} ${text === "1" ? "request" : "requests"} there`;
}

function Candidates({ of: candidates }: { of: Candidate[] }) {
  if (candidates.length === 0) return <span className="text-muted">none</span>;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {candidates.map(({ nodeId, nodeName, costMs, beside, isChosen }) => (
        <li key={nodeId} className={classNames("flex flex-wrap items-baseline gap-x-1.5", !isChosen && "text-muted")}>
          <span className={isChosen ? "font-medium" : undefined}>{nodeName}</span>
          <span>{costMs === null ? "figures too old" : formatQuantity(costMs, "ms")}</span>
          {beside > 0 ? <span className="text-muted text-xs">{describeRequests(beside)}</span> : null}
          {isChosen ? <Badge tone="good">chosen</Badge> : null}
        </li>
      ))}
    </ul>
  );
}
