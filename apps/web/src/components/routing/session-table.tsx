"use client";
import type { BgpSession } from "@fairlead/domain/routing";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
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
      empty="No BGP sessions yet. They appear once an agent that speaks BGP reports."
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
        { label: "Routes in, out", align: "end", cell: (session) => <Routes of={session} /> },
        {
          label: "Hold, keepalive",
          cell: ({ holdSeconds, keepaliveSeconds }) =>
            orDash(holdSeconds > 0, `${holdSeconds} s, ${keepaliveSeconds} s`),
        },
        {
          label: "BFD",
          cell: ({ detection, detectIntervalMs, detectMultiplier }) =>
            detection ? `${detection} · ${detectIntervalMs} ms × ${detectMultiplier}` : <Muted>off</Muted>,
        },
        {
          label: "Messages in, out",
          align: "end",
          cell: ({ messagesIn, messagesOut }) =>
            orDash(messagesIn + messagesOut > 0, `${count(messagesIn)}, ${count(messagesOut)}`),
        },
        { label: "Times up", align: "end", cell: ({ establishedCount }) => count(establishedCount) },
        {
          label: "Seen",
          cell: ({ observedAt, reportIntervalMs }) => <Age at={observedAt} expectedEveryMs={reportIntervalMs} />,
        },
        { label: "Reason", wraps: true, cell: (session) => <Why of={session} /> },
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

function Routes({ of: { routesAccepted, routesReceived, routesAdvertised } }: { of: BgpSession }) {
  const isSome = routesAccepted < routesReceived;
  return (
    <span className={isSome ? "text-warn" : undefined}>
      {isSome ? `${count(routesAccepted)} of ${count(routesReceived)}` : count(routesAccepted)},{" "}
      {count(routesAdvertised)}
    </span>
  );
}

/** The reason why it is down, else the reason of its last failure. */
function Why({ of: { state, trouble, lastError } }: { of: BgpSession }) {
  if (state !== "established") return trouble ? <LongText text={trouble} /> : <Muted>no reason reported yet</Muted>;
  return lastError ? <LongText text={`Last failure: ${lastError}`} /> : <Muted>never went down</Muted>;
}

function orDash(isThere: boolean, text: string) {
  return isThere ? text : <Muted>–</Muted>;
}

function Muted({ children }: { children: string }) {
  return <span className="text-muted">{children}</span>;
}
