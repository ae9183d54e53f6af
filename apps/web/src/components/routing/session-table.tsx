import type { BgpSession } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { count } from "@/components/words/numbers.ts";
import { SessionState } from "./states.tsx";
import { TransitionHistory } from "./transition-history.tsx";

export function SessionTable({ sessions }: { sessions: BgpSession[] | undefined }) {
  return (
    <RowsTable<BgpSession>
      label="BGP sessions"
      rows={sessions}
      stacks
      rowKey={({ id }) => id}
      empty="No agent that speaks BGP has reported yet."
      columns={[
        {
          label: "Node",
          cell: ({ nodeId, nodeName, role }) => (
            <span>
              <TextLink href={`/nodes/${nodeId}`} className="font-medium">
                {nodeName}
              </TextLink>{" "}
              <span className="text-muted text-xs">{role}</span>
            </span>
          ),
        },
        {
          label: "Peer",
          cell: ({ peerName, peerAddress, peerAsn }) => (
            <span className="inline-flex items-center gap-1.5">
              {peerName || null}
              <Mono>{peerAddress}</Mono>
              <span className="text-muted text-xs">AS {peerAsn}</span>
            </span>
          ),
        },
        { label: "State", cell: (session) => <SessionState of={session} /> },
        { label: "Since", cell: ({ stateSince }) => (stateSince ? <Age at={stateSince} /> : "never up") },
        {
          label: "Routes in",
          align: "end",
          cell: ({ routesAccepted, routesReceived }) => (
            <span className={routesAccepted < routesReceived ? "text-warn" : undefined}>
              {routesAccepted < routesReceived
                ? `${count(routesAccepted)} of ${count(routesReceived)}`
                : count(routesAccepted)}
            </span>
          ),
        },
        { label: "Routes out", align: "end", cell: ({ routesGiven }) => count(routesGiven) },
        { label: "Ups", align: "end", wideOnly: true, cell: ({ ups }) => count(ups) },
        {
          label: "BFD",
          wideOnly: true,
          cell: ({ detection }) => detection || <span className="text-muted">off</span>,
        },
        {
          label: "Last went down because",
          wraps: true,
          cell: ({ lastError, isFull }) =>
            isFull ? "it offered more routes than it may" : lastError || <span className="text-muted">never did</span>,
        },
        {
          label: "History",
          cell: ({ id, nodeName, peerName, peerAddress }) => (
            <TransitionHistory of={{ sessionId: id }} title={`${nodeName} with ${peerName || peerAddress}`} />
          ),
        },
      ]}
    />
  );
}
