"use client";
import type { Backend } from "@fairlead/domain";
import { useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Lasting } from "@/components/ui/lasting.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ShowMore } from "@/components/ui/show-more.tsx";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { count } from "@/components/words/numbers.ts";
import { type BalancerNames, balancerColumn, type OfBalancer } from "./balancer-column.tsx";
import { LiveStatus } from "./live-status.tsx";
import { troubledFirst } from "./troubled-first.ts";

type Row = Backend & OfBalancer;

const firstShown = 25;

/** What is behind balancers. State and health are two things, so they have two columns. */
export function BackendsTable({
  backends,
  names,
  seenEveryMs,
}: {
  backends: Row[];
  names?: BalancerNames;
  /** How often somebody looks; a row that is older than that for long turns grey. */
  seenEveryMs: number;
}) {
  const [all, setAll] = useState(false);
  const sorted = troubledFirst(backends);
  const hasMessages = backends.some((backend) => backend.message);
  return (
    <>
      <RowsTable<Row>
        label="Backends"
        rows={all ? sorted : sorted.slice(0, firstShown)}
        stacks
        rowKey={(backend) => backend.id}
        empty="None has been seen. They appear with the instances of the workload, once its cluster is read."
        columns={[
          {
            label: "Instance",
            cell: ({ instance }) =>
              instance ? <span className="font-medium">{instance}</span> : <span className="text-muted">–</span>,
          },
          ...balancerColumn<Row>(names),
          { label: "Address", cell: (backend) => <Mono copy="pointer">{describeEndpoint(backend)}</Mono> },
          {
            label: "State",
            cell: ({ state, stateSince }) => (
              <span className="inline-flex items-baseline gap-2">
                <StatusBadge status={state} className="min-w-18" />
                <Lasting at={stateSince} />
              </span>
            ),
          },
          {
            label: "Health",
            cell: ({ health, healthSince, observedAt }) => (
              <span className="inline-flex items-baseline gap-2">
                <LiveStatus status={health} of={{ observedAt, reportIntervalMs: seenEveryMs }} className="min-w-18" />
                <Lasting at={healthSince} />
              </span>
            ),
          },
          ...(hasMessages ? [{ label: "Why", wraps: true, cell: ({ message }: Row) => message }] : []),
          { label: "Weight", align: "end", cell: ({ weight }) => weight },
          { label: "Live connections", align: "end", cell: ({ liveConnections }) => count(liveConnections) },
          {
            label: "Seen",
            align: "end",
            cell: ({ observedAt }) => <Age at={observedAt} expectedEveryMs={seenEveryMs} />,
          },
        ]}
      />
      <ShowMore total={backends.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}

/** TCP is what everybody expects, so only the other one is named. */
function describeEndpoint({ address, port, protocol }: Backend): string {
  const endpoint = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return protocol === "tcp" ? endpoint : `${endpoint} ${protocol}`;
}
