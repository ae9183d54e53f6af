"use client";
import type { Page } from "@fairlead/domain";
import type { Announcement } from "@fairlead/domain/routing";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { loadBalancerColumn } from "./load-balancer-column.tsx";
import { AnnouncementState } from "./states.tsx";
import { TransitionHistory } from "./transition-history.tsx";

export function AnnouncementTable(props: {
  page: Pick<Page<Announcement>, "items"> | undefined;
  lookedUp: string | null;
}) {
  const { page, lookedUp } = props;
  const mayReadMap = useMay("map:read");
  return (
    <RowsTable<Announcement>
      label="Announcements"
      rows={page?.items}
      stacks
      rowKey={({ id }) => id}
      empty={lookedUp ? `No balancer announces ${lookedUp}.` : "No announcements yet."}
      columns={[
        { label: "Prefix", cell: ({ prefix }) => <Mono>{prefix}</Mono> },
        ...(mayReadMap ? [loadBalancerColumn<Announcement>()] : []),
        {
          label: "Node",
          cell: ({ nodeId, nodeName }) => <TextLink href={`/nodes/${nodeId}`}>{nodeName}</TextLink>,
        },
        { label: "Next hop", cell: ({ nextHop }) => <Mono>{nextHop}</Mono> },
        { label: "State", cell: (each) => <AnnouncementState of={each} /> },
        { label: "Since", cell: ({ stateSince }) => <Age at={stateSince} /> },
        {
          label: "Seen",
          cell: ({ observedAt, reportIntervalMs }) => <Age at={observedAt} expectedEveryMs={reportIntervalMs} />,
        },
        {
          label: "Reason",
          wraps: true,
          cell: ({ reason }) => reason || <span className="text-muted">its probe succeeds</span>,
        },
        {
          label: "History",
          cell: ({ id, prefix, nodeName }) => (
            <TransitionHistory of={{ announcementId: id }} title={`${prefix} at ${nodeName}`} />
          ),
        },
      ]}
    />
  );
}
