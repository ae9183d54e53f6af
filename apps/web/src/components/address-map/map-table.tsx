"use client";
import type { AddressMapEntry } from "@fairlead/domain";
import { useState } from "react";
import { GuardedButton } from "../detail/guarded-button.tsx";
import { RowsTable } from "../detail/rows-table.tsx";
import { Age } from "../ui/age.tsx";
import { Mono } from "../ui/mono.tsx";
import { ShowMore } from "../ui/show-more.tsx";
import { endText } from "./end-text.ts";
import { ReadyBadge } from "./ready-badge.tsx";
import { TryMapping } from "./try-mapping.tsx";

const firstShown = 12;

/** The map in words: an instance, where it runs, and what leads to each of its ports. */
export function MapTable({ exposureId, entries }: { exposureId: string; entries: AddressMapEntry[] | undefined }) {
  const [all, setAll] = useState(false);
  const [tried, setTried] = useState<string | null>(null);
  return (
    <>
      <RowsTable<AddressMapEntry>
        label="Address map"
        rows={all ? entries : entries?.slice(0, firstShown)}
        stacks
        rowKey={({ instance, internalAddress, externalAddress }) => `${instance} ${internalAddress} ${externalAddress}`}
        empty="Nothing leads to an instance yet: an entry appears once a load balancer has its external address."
        columns={[
          {
            label: "Instance",
            cell: ({ instance, pod }) => (
              <span className="font-medium">
                {instance}
                {pod && pod !== instance ? <span className="font-normal text-muted"> in {pod}</span> : null}
              </span>
            ),
          },
          { label: "State", cell: ({ ready }) => <ReadyBadge ready={ready} /> },
          { label: "Internal → external", cell: (entry) => <Ends entry={entry} /> },
          { label: "Node", cell: ({ node }) => node ?? <span className="text-muted">not seen</span> },
          { label: "Since", align: "end", cell: ({ since }) => <Age at={since} /> },
          { label: "Generation", align: "end", cell: ({ generation }) => generation },
          {
            label: "Actions",
            hidesLabel: true,
            align: "end",
            cell: ({ instance }) => (
              <GuardedButton
                permission="exposure:write"
                size="sm"
                aria-label={`Try ${instance}`}
                onClick={() => setTried(instance)}
              >
                Try
              </GuardedButton>
            ),
          },
        ]}
      />
      <ShowMore total={entries?.length ?? 0} first={firstShown} all={all} onChange={setAll} />
      {tried === null ? null : <TryMapping exposureId={exposureId} instance={tried} onDone={() => setTried(null)} />}
    </>
  );
}

function Ends({ entry: { internalAddress, externalAddress, serverName, ports } }: { entry: AddressMapEntry }) {
  return (
    <ul>
      {ports.map(({ name, protocol, internal, external }) => (
        <li key={`${protocol} ${internal} ${external}`} className="flex flex-wrap items-center gap-x-2">
          <Mono copy="pointer">{endText(internalAddress, internal)}</Mono>
          <span aria-hidden className="text-muted">
            →
          </span>
          <span className="sr-only">reached at</span>
          <Mono copy="pointer">{endText(externalAddress, external)}</Mono>
          {name || protocol === "udp" ? (
            <span className="text-muted text-xs">
              {[name, protocol === "udp" ? "UDP" : ""].filter(Boolean).join(", ")}
            </span>
          ) : null}
        </li>
      ))}
      {serverName === undefined ? null : (
        <li className="text-muted text-xs">
          asked for by TLS as <Mono copy="pointer">{serverName}</Mono>
        </li>
      )}
    </ul>
  );
}
