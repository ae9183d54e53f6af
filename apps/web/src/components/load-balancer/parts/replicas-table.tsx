"use client";
import type { Replica } from "@fairlead/domain/load-balancer";
import { useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { Age } from "@/components/ui/time/age.tsx";
import { count } from "@/components/words/numbers.ts";
import { type BalancerNames, balancerColumn, type OfBalancer } from "./balancer-column.tsx";
import { EngineCell } from "./engine-cell.tsx";
import { LiveStatus } from "./live-status.tsx";
import { unreadyFirst } from "./troubled-first.ts";

type Row = Replica & OfBalancer;

const ready: StatusLook = { word: "Ready", shape: "disc", tone: "good" };
const notReady: StatusLook = { word: "Not ready", shape: "half", tone: "warn" };
const unseen: StatusLook = { word: "Not seen yet", shape: "ring", tone: "silent" };

const firstShown = 20;

/** The replicas of balancers: their nodes, their engines, and whether each takes traffic. */
export function ReplicasTable({ replicas, names }: { replicas: Row[]; names?: BalancerNames }) {
  const [all, setAll] = useState(false);
  const sorted = unreadyFirst(replicas);
  const hasRoles = replicas.some((replica) => replica.role === "adaptive");
  const hasMessages = replicas.some((replica) => replica.message);
  return (
    <>
      <RowsTable<Row>
        label="Replicas"
        rows={all ? sorted : sorted.slice(0, firstShown)}
        stacks
        rowKey={(replica) => replica.id}
        empty="No replicas are configured."
        columns={[
          {
            label: "Node",
            cell: (replica) =>
              replica.nodeId ? (
                <TextLink href={`/nodes/${replica.nodeId}`} className="font-medium">
                  {replica.nodeName ?? replica.nodeId}
                </TextLink>
              ) : (
                <span className="text-muted">not placed yet</span>
              ),
          },
          ...(hasRoles ? [{ label: "Role", cell: (replica: Row) => replica.role }] : []),
          ...balancerColumn<Row>(names),
          {
            label: "State",
            cell: (replica) => (
              <LiveStatus status={replica.ready ? ready : replica.observedAt ? notReady : unseen} of={replica} />
            ),
          },
          ...(hasMessages
            ? [{ label: "Reason", wraps: true, cell: (replica: Row) => <LongText text={replica.message} /> }]
            : []),
          { label: "Engine", wraps: true, cell: (replica) => <EngineCell {...replica} /> },
          { label: "Live connections", align: "end", cell: (replica) => count(replica.liveConnections) },
          {
            label: "Address",
            cell: (replica) => (replica.address ? <Mono copy="pointer">{replica.address}</Mono> : ""),
          },
          {
            label: "Agent",
            cell: (replica) =>
              replica.agentId ? (
                <Mono copy="pointer" className="max-w-28">
                  {replica.agentId}
                </Mono>
              ) : (
                ""
              ),
          },
          {
            label: "Seen",
            align: "end",
            cell: (replica) => (
              <Age
                at={replica.observedAt}
                {...(replica.reportIntervalMs === null ? {} : { expectedEveryMs: replica.reportIntervalMs })}
              />
            ),
          },
        ]}
      />
      <ShowMore total={replicas.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}
