"use client";
import { formatEndpoint } from "@fairlead/domain/address";
import type { AddressMapEntry } from "@fairlead/domain/address-map";
import { useState } from "react";
import { GuardedButton } from "../detail/guarded-button.tsx";
import { RowsTable } from "../detail/rows-table.tsx";
import { ShowMore } from "../ui/layout/show-more.tsx";
import { Mono } from "../ui/mono.tsx";
import { Age } from "../ui/time/age.tsx";
import { ReadyBadge } from "./ready-badge.tsx";
import { TryMapping } from "./try-mapping.tsx";

const firstShown = 8;

/** The map as a table: each instance, its node, and the external address of each of its ports. */
export function MapTable(props: { exposureId: string; entries: AddressMapEntry[] | undefined; expected: number }) {
  const { exposureId, entries } = props;
  const [all, setAll] = useState(false);
  const [tried, setTried] = useState<string | null>(null);
  return (
    <>
      <RowsTable<AddressMapEntry>
        label="Address map"
        rows={all ? entries : entries?.slice(0, firstShown)}
        expected={Math.min(Math.max(1, props.expected), firstShown)}
        stacks
        rowKey={({ instance, internalAddress, externalAddress }) => `${instance} ${internalAddress} ${externalAddress}`}
        empty="No mappings yet. An entry appears once a load balancer has its external address."
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
          { label: "Node", cell: ({ node }) => node ?? <span className="text-muted">unknown</span> },
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
                aria-label={`Test ${instance}`}
                onClick={() => setTried(instance)}
              >
                Test
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
          <Mono copy="pointer">{formatEndpoint(internalAddress, internal)}</Mono>
          <span aria-hidden className="text-muted">
            →
          </span>
          <span className="sr-only">through</span>
          <Mono copy="pointer">{formatEndpoint(externalAddress, external)}</Mono>
          {name || protocol === "udp" ? (
            <span className="text-muted text-xs">
              {[name, protocol === "udp" ? "UDP" : ""].filter(Boolean).join(", ")}
            </span>
          ) : null}
        </li>
      ))}
      {serverName === undefined ? null : (
        <li className="text-muted text-xs">
          TLS name <Mono copy="pointer">{serverName}</Mono>
        </li>
      )}
    </ul>
  );
}
