"use client";
import type { CloudAddress, Page } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { MoreRows } from "./more-rows.tsx";

export const cloudAddressLooks: Record<CloudAddress["state"], StatusLook> = {
  placed: { word: "Placed", shape: "disc", tone: "good" },
  moving: { word: "Moving", shape: "half", tone: "accent" },
  unserved: { word: "No fit replica", shape: "triangle", tone: "bad" },
  refused: { word: "Refused", shape: "square", tone: "bad" },
  leaving: { word: "Leaving", shape: "cross", tone: "silent" },
};

export const cloudMethodWords: Record<CloudAddress["method"], string> = {
  route: "Route table",
  "secondary-address": "Secondary address",
  "elastic-address": "Elastic IP",
};

// As often as the reconciler asks the cloud.
const askedEveryMs = 30_000;

/** Where a cloud brings service addresses, where no router listens to BGP. */
export function CloudAddressTable({ page, shown }: { page: Page<CloudAddress> | undefined; shown: number }) {
  return (
    <>
      <RowsTable<CloudAddress>
        label="In the cloud"
        rows={page?.items}
        stacks
        rowKey={({ id }) => id}
        empty="No address is brought anywhere yet."
        columns={[
          { label: "Address", cell: ({ address }) => <Mono>{address}</Mono> },
          {
            label: "Load balancer",
            cell: ({ loadBalancerId, loadBalancerName }) =>
              loadBalancerId ? (
                <TextLink href={`/load-balancers/${loadBalancerId}`} className="font-medium">
                  {loadBalancerName}
                </TextLink>
              ) : (
                <span className="text-muted">deleted</span>
              ),
          },
          { label: "By", cell: ({ method }) => cloudMethodWords[method] },
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
            label: "Asked",
            cell: ({ observedAt }) =>
              observedAt ? (
                <Age at={observedAt} expectedEveryMs={askedEveryMs} />
              ) : (
                <span className="text-muted">never</span>
              ),
          },
          {
            label: "Reason",
            wraps: true,
            cell: ({ reason }) => reason || <span className="text-muted">its first replica</span>,
          },
        ]}
      />
      <MoreRows page={page} shown={shown} noun="address" />
    </>
  );
}
