"use client";
import { formatEndpoint } from "@fairlead/domain/address";
import type { Backend } from "@fairlead/domain/load-balancer";
import { useState } from "react";
import { NoMap } from "@/components/address-map/no-map.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Lasting } from "@/components/ui/time/lasting.tsx";
import { count } from "@/components/words/numbers.ts";
import { type BalancerNames, balancerColumn, type OfBalancer } from "./balancer-column.tsx";
import { healthLook } from "./health-look.ts";
import { LiveStatus } from "./live-status.tsx";
import { troubledFirst } from "./troubled-first.ts";

type Row = Backend & OfBalancer;

const firstShown = 15;

/** The backends of balancers. State and health are independent, so they have two columns. */
export function BackendsTable({
  backends,
  names,
  observeIntervalMs,
}: {
  backends: Row[];
  names?: BalancerNames;
  /** The report interval. A row that is older than it for long turns grey. */
  observeIntervalMs: number;
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
        empty="No backends yet. They appear with the instances of the workload, once its cluster is read."
        columns={[
          {
            label: "Instance",
            cell: ({ instance }) =>
              instance ? <span className="font-medium">{instance}</span> : <span className="text-muted">–</span>,
          },
          ...balancerColumn<Row>(names),
          { label: "Address", cell: (backend) => <Endpoint backend={backend} /> },
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
                <LiveStatus
                  status={healthLook({ health, healthSince })}
                  of={{ observedAt, reportIntervalMs: observeIntervalMs }}
                  className="min-w-18"
                />
                <Lasting at={healthSince} />
              </span>
            ),
          },
          ...(hasMessages
            ? [{ label: "Reason", wraps: true, cell: ({ message }: Row) => <LongText text={message} /> }]
            : []),
          { label: "Weight", align: "end", cell: ({ weight }) => weight },
          {
            label: "Live connections",
            align: "end",
            cell: ({ liveConnections }) => (liveConnections === null ? "–" : count(liveConnections)),
          },
          {
            label: "Seen",
            align: "end",
            cell: ({ observedAt }) => <Age at={observedAt} expectedEveryMs={observeIntervalMs} />,
          },
        ]}
      />
      {backends.some(({ address }) => address === null) ? <NoMap /> : null}
      <ShowMore total={backends.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}

/** TCP is the default, so only UDP is named. */
function Endpoint({ backend: { address, port, protocol } }: { backend: Backend }) {
  if (address === null) return <span className="text-muted">hidden</span>;
  const endpoint = formatEndpoint(address, port);
  return <Mono copy="pointer">{protocol === "tcp" ? endpoint : `${endpoint} ${protocol}`}</Mono>;
}
