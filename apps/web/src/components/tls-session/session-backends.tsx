"use client";
import { useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describeTickets, ticketLooks } from "./describe-tickets.ts";
import type { TakingBackend } from "./join-backends.ts";
import { KeyNames } from "./key-names.tsx";
import { ManagedKey } from "./managed-key.tsx";

const accepted: StatusLook = { word: "Accepted", shape: "disc", tone: "good" };
const notAccepted: StatusLook = { word: "Not accepted", shape: "square", tone: "bad" };

const firstShown = 15;

/** Which backends accept connections by TLS session, and what their tickets start with. */
export function SessionBackends(props: { backends: TakingBackend[]; observeIntervalMs: number }) {
  const { backends, observeIntervalMs } = props;
  const [all, setAll] = useState(false);
  const hasMessages = backends.some((each) => each.message);
  const isManaged = backends.some((each) => each.ticketKey !== null);
  const hasPorts = new Set(backends.map((each) => each.port)).size > 1;
  return (
    <>
      <RowsTable<TakingBackend>
        label="Backends by TLS session"
        rows={all ? backends : backends.slice(0, firstShown)}
        stacks
        rowKey={(backend) => backend.backendId}
        empty="No backends yet. They appear with the instances of the workload, once its cluster is read."
        columns={[
          {
            label: "Instance",
            cell: ({ instance, port }) => (
              <span className="font-medium">{hasPorts ? `${instance} port ${port}` : instance}</span>
            ),
          },
          {
            label: "Connections",
            cell: ({ takesConnections }) => (
              <StatusBadge status={takesConnections ? accepted : notAccepted} className="min-w-26" />
            ),
          },
          ...(hasMessages
            ? [{ label: "Reason", wraps: true, cell: ({ message }: TakingBackend) => <LongText text={message} /> }]
            : []),
          {
            label: "Tickets",
            wraps: true,
            cell: (backend) => (
              <>
                <StatusBadge status={ticketLooks[backend.tickets]} />
                <span className="wrap-anywhere block text-muted text-xs">
                  <LongText text={describeTickets(backend)} />
                </span>
              </>
            ),
          },
          ...(isManaged
            ? [
                {
                  label: "Managed key",
                  wraps: true,
                  cell: ({ ticketKey }: TakingBackend) => <ManagedKey of={ticketKey} />,
                },
              ]
            : []),
          { label: isManaged ? "Observed names" : "Key names", cell: ({ names }) => <KeyNames names={names} /> },
          {
            label: "Number",
            align: "end",
            cell: ({ number }) => number ?? <span className="text-muted">none</span>,
          },
          { label: "Node", cell: ({ nodeName }) => nodeName || <span className="text-muted">unknown</span> },
          {
            label: "Agent",
            cell: ({ agentId }) =>
              agentId ? (
                <Mono copy="pointer" className="max-w-28">
                  {agentId}
                </Mono>
              ) : (
                <span className="text-muted">none</span>
              ),
          },
          {
            label: "Seen",
            align: "end",
            cell: ({ observedAt }) => <Age at={observedAt} expectedEveryMs={observeIntervalMs} />,
          },
        ]}
      />
      <ShowMore total={backends.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}
