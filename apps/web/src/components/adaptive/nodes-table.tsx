"use client";
import { useState } from "react";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { LiveStatus } from "@/components/load-balancer/parts/live-status.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { count, decimals } from "@/components/words/numbers.ts";
import { describePeers, lookOfNode, type ReportedNode } from "./join-nodes.ts";

const firstShown = 15;

/** Whether connections that start on each node are distributed, and what its agent reports. */
export function NodesTable({ nodes }: { nodes: ReportedNode[] }) {
  const [all, setAll] = useState(false);
  const names = new Map(nodes.map((each) => [each.nodeId, each.nodeName]));
  const nameOf = (nodeId: string) => names.get(nodeId) ?? nodeId;
  const hasProblem = nodes.some((each) => each.problem !== "");
  return (
    <>
      <RowsTable<ReportedNode>
        label="Nodes"
        rows={all ? nodes : nodes.slice(0, firstShown)}
        stacks
        rowKey={(node) => node.nodeId}
        empty="No nodes yet. They appear with instances, or with agents of the role adaptive."
        columns={[
          { label: "Node", cell: (node) => <NodeName of={node} /> },
          { label: "State", cell: (node) => <LiveStatus status={lookOfNode(node)} of={node} className="min-w-28" /> },
          ...(hasProblem
            ? [
                {
                  label: "Reason",
                  wraps: true,
                  cell: ({ problem }: ReportedNode) => problem && <LongText text={problem} />,
                },
              ]
            : []),
          {
            label: "Local share",
            align: "end",
            cell: ({ localShare }) => (localShare === null ? <None /> : formatQuantity(localShare, "ratio")),
          },
          { label: "Cores", align: "end", cell: ({ cores }) => (cores === null ? <None /> : decimals(cores, 2)) },
          {
            label: "Throttled",
            align: "end",
            cell: ({ throttledRatio }) =>
              throttledRatio === null ? (
                <None />
              ) : (
                <span className={throttledRatio > 0 ? "text-warn" : undefined}>
                  {formatQuantity(throttledRatio, "ratio")}
                </span>
              ),
          },
          {
            label: "Refused",
            align: "end",
            cell: ({ refused, observedAt }) =>
              observedAt === null ? (
                <None />
              ) : (
                <span className={refused > 0 ? "text-bad" : undefined}>{count(refused)}</span>
              ),
          },
          { label: "Peers with figures", wraps: true, cell: (node) => <Peers of={node} nameOf={nameOf} /> },
          {
            label: "Seen",
            align: "end",
            cell: ({ observedAt, reportIntervalMs }) => (
              <Age at={observedAt} {...(reportIntervalMs === null ? {} : { expectedEveryMs: reportIntervalMs })} />
            ),
          },
        ]}
      />
      <ShowMore total={nodes.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}

/** A node without an agent may have no page. */
function NodeName({ of: { nodeId, nodeName } }: { of: ReportedNode }) {
  if (nodeId === nodeName) return <span className="font-medium">{nodeName}</span>;
  return (
    <TextLink href={`/nodes/${nodeId}`} className="font-medium">
      {nodeName}
    </TextLink>
  );
}

const mostNamed = 3;

function Peers({ of, nameOf }: { of: ReportedNode; nameOf: (nodeId: string) => string }) {
  if (of.observedAt === null) return <None />;
  const { count: exchanging, missing } = describePeers(of, nameOf);
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
  return (
    <>
      {of.peers.length === 0 ? <span className="text-muted">no other nodes</span> : exchanging}
      {missing.length > 0 ? (
        <span className="wrap-anywhere block text-muted text-xs">
          no figures from {missing.slice(0, mostNamed).join(", ")}
          {more}
        </span>
      ) : null}
    </>
  );
}

function None() {
  return <span className="text-muted">–</span>;
}
