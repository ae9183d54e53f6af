"use client";
import type { OfferedRoute, RoutingTableAnswer } from "@fairlead/domain/routing";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { AnswerHead } from "./answer-head.tsx";

/** The response of one agent, or why there is none. */
export function TableAnswer({ answer, lookedUp }: { answer: RoutingTableAnswer; lookedUp: string | null }) {
  const { nodeName, role, state, routes } = answer;
  return (
    <article aria-label={`${nodeName}, ${role}`} className="flex flex-col gap-1">
      <AnswerHead answer={answer} count={routes.length} />
      {state === "answered" ? (
        <RowsTable<OfferedRoute>
          label={`Routes at ${nodeName}`}
          rows={routes}
          stacks
          rowKey={({ prefix, nextHop, from }) => `${prefix} ${nextHop} ${from}`}
          empty={lookedUp ? `${nodeName} received no route to ${lookedUp}.` : `${nodeName} received no routes.`}
          columns={[
            { label: "Prefix", cell: ({ prefix }) => <Mono>{prefix}</Mono> },
            { label: "Next hop", cell: ({ nextHop, nextHopName }) => <Named address={nextHop} name={nextHopName} /> },
            {
              label: "From",
              cell: ({ from, fromName }) =>
                from ? <Named address={from} name={fromName} /> : <span className="text-muted">local</span>,
            },
            { label: "State", cell: (route) => <StatusBadge status={statusOf(route)} /> },
            { label: "LOCAL_PREF", align: "end", cell: ({ preference }) => preference },
            { label: "MED", align: "end", wideOnly: true, cell: ({ med }) => med },
            { label: "AS path", wideOnly: true, cell: ({ asPath }) => asPath.join(" ") || <Nothing /> },
            {
              label: "Communities",
              wraps: true,
              cell: ({ communities }) => (communities.length > 0 ? <Mono>{communities.join(" ")}</Mono> : <Nothing />),
            },
            { label: "Since", cell: ({ since }) => (since ? <Age at={since} /> : <Nothing />) },
          ]}
        />
      ) : null}
      {routes.some(({ refused }) => refused) ? (
        <p className="text-muted text-sm">
          Rejected routes are not used:{" "}
          {[...new Set(routes.flatMap(({ refused }) => (refused ? [refused] : [])))].join("; ")}.
        </p>
      ) : null}
    </article>
  );
}

function statusOf({ isBest, refused }: OfferedRoute): StatusLook {
  if (refused) return { word: "Rejected", shape: "cross", tone: "bad" };
  if (isBest) return { word: "Best", shape: "disc", tone: "good" };
  return { word: "Not best", shape: "ring", tone: "silent" };
}

function Named({ address, name }: { address: string; name: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {name || null}
      <Mono>{address}</Mono>
    </span>
  );
}

function Nothing() {
  return <span className="text-muted">–</span>;
}
