"use client";
import type { Page } from "@fairlead/domain";
import type { CloudAddress } from "@fairlead/domain/cloud";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { loadBalancerColumn } from "./load-balancer-column.tsx";
import { MoreRows } from "./more-rows.tsx";

export const cloudAddressLooks: Record<CloudAddress["state"], StatusLook> = {
  placed: { word: "Placed", shape: "disc", tone: "good" },
  moving: { word: "Moving", shape: "half", tone: "accent" },
  unserved: { word: "No healthy replica", shape: "triangle", tone: "bad" },
  refused: { word: "Rejected", shape: "square", tone: "bad" },
  leaving: { word: "Removing", shape: "cross", tone: "silent" },
};

export const cloudMethodWords: Record<CloudAddress["method"], string> = {
  route: "Route table",
  "secondary-address": "Secondary address",
  "elastic-address": "Elastic IP",
};

// The interval at which the reconciler reads the cloud.
const pollIntervalMs = 30_000;

/** Where a cloud routes service addresses if no router speaks BGP. */
export function CloudAddressTable(props: {
  page: Pick<Page<CloudAddress>, "items" | "total"> | undefined;
  shown: number;
}) {
  const { page, shown } = props;
  const mayReadMap = useMay("map:read");
  return (
    <>
      <RowsTable<CloudAddress>
        label="Cloud routes"
        rows={page?.items}
        stacks
        rowKey={({ id }) => id}
        empty="No addresses are routed yet."
        columns={[
          { label: "Address", cell: ({ address }) => <Mono>{address}</Mono> },
          ...(mayReadMap ? [loadBalancerColumn<CloudAddress>()] : []),
          { label: "Method", cell: ({ method }) => cloudMethodWords[method] },
          {
            label: "Node",
            cell: ({ nodeId, nodeName }) =>
              nodeId ? (
                <TextLink href={`/nodes/${nodeId}`}>{nodeName}</TextLink>
              ) : (
                <span className="text-muted">none</span>
              ),
          },
          {
            label: "Interface",
            cell: ({ interfaceId }) =>
              interfaceId ? <Mono>{interfaceId}</Mono> : <span className="text-muted">none</span>,
          },
          { label: "State", cell: ({ state }) => <StatusBadge status={cloudAddressLooks[state]} /> },
          { label: "Since", cell: ({ since }) => (since ? <Age at={since} /> : <span className="text-muted">–</span>) },
          {
            label: "Last read",
            cell: ({ observedAt }) =>
              observedAt ? (
                <Age at={observedAt} expectedEveryMs={pollIntervalMs} />
              ) : (
                <span className="text-muted">never</span>
              ),
          },
          {
            label: "Reason",
            wraps: true,
            cell: ({ reason }) => reason || <span className="text-muted">its primary replica</span>,
          },
        ]}
      />
      <MoreRows page={page} shown={shown} noun="address" />
    </>
  );
}
